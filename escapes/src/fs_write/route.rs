//! Other ways to the same files: through a root or a working directory in /proc, through a link or a
//! descriptor of the program's own, upwards from where it stands. Rules that compare the text of a path
//! know one of them.

use super::effect::done;
#[cfg(target_os = "linux")]
use crate::own_names;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{Mode, OFlags, open};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

const WAY: Escape = Escape {
    references: &["CWE-22", "https://docs.kernel.org/userspace-api/landlock.html"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
    ..Escape::BLANK
};

const WRITE: Escape =
    Escape { techniques: &["FW-WRITE"], witnesses: &["landlock/write-file"], ..WAY };
const TRUNCATE: Escape =
    Escape { techniques: &["FW-TRUNCATE"], witnesses: &["landlock/truncate"], ..WAY };
const DELETE: Escape =
    Escape { techniques: &["FW-DELETE"], witnesses: &["landlock/remove-file"], ..WAY };
const CREATE: Escape =
    Escape { techniques: &["FW-CREATE"], witnesses: &["landlock/make-reg"], ..WAY };
const REPLACE: Escape =
    Escape { techniques: &["FW-RENAMEOVER"], witnesses: &["layer/landlock"], ..WAY };
const LINK: Escape = Escape { techniques: &["FW-MOVEOUT"], witnesses: &["layer/landlock"], ..WAY };
const DIRECTORY: Escape =
    Escape { techniques: &["FW-CREATE"], witnesses: &["landlock/make-dir"], ..WAY };

/// One act by one way.
macro_rules! by {
    ($id:literal, $what:literal, $way:literal, $base:ident, $act:ident, $open:ident) => {
        Escape {
            id: concat!("fs-write/route.", $id),
            summary: concat!($what, " outside by ", $way),
            native: Some(|scene| $act(&$open(scene)?)),
            ..$base
        }
    };
}

pub(super) const ESCAPES: &[Escape] = &[
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/route",
        summary: "Write to a file outside by the root of the own process",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| write(&by_root(scene)?)),
        python: Some(include_str!("route.py")),
        ..WRITE
    },
    #[cfg(target_os = "linux")]
    by!("write-task", "Write to a file", "the root of the own thread", WRITE, write, by_task),
    by!("write-link", "Write to a file", "a link to its directory", WRITE, write, by_link),
    #[cfg(target_os = "linux")]
    by!("write-held", "Write to a file", "a held directory", WRITE, write, by_held),
    by!("write-up", "Write to a file", "going up from the run directory", WRITE, write, by_up),
    #[cfg(target_os = "linux")]
    by!(
        "truncate-root",
        "Empty a file",
        "the root of the own process",
        TRUNCATE,
        truncate,
        by_root
    ),
    by!("truncate-link", "Empty a file", "a link to its directory", TRUNCATE, truncate, by_link),
    #[cfg(target_os = "linux")]
    by!("truncate-held", "Empty a file", "a held directory", TRUNCATE, truncate, by_held),
    #[cfg(target_os = "linux")]
    by!("delete-root", "Remove a file", "the root of the own process", DELETE, delete, by_root),
    by!("delete-link", "Remove a file", "a link to its directory", DELETE, delete, by_link),
    #[cfg(target_os = "linux")]
    by!("delete-held", "Remove a file", "a held directory", DELETE, delete, by_held),
    by!("delete-up", "Remove a file", "going up from the run directory", DELETE, delete, by_up),
    #[cfg(target_os = "linux")]
    by!("create-root", "Make a file", "the root of the own process", CREATE, create, by_root),
    by!("create-link", "Make a file", "a link to its directory", CREATE, create, by_link),
    #[cfg(target_os = "linux")]
    by!("create-held", "Make a file", "a held directory", CREATE, create, by_held),
    #[cfg(target_os = "linux")]
    by!("replace-root", "Replace a file", "the root of the own process", REPLACE, replace, by_root),
    by!("replace-link", "Replace a file", "a link to its directory", REPLACE, replace, by_link),
    #[cfg(target_os = "linux")]
    by!("replace-held", "Replace a file", "a held directory", REPLACE, replace, by_held),
    #[cfg(target_os = "linux")]
    by!("name-root", "Name an own file", "the root of the own process", LINK, name, by_root),
    by!("name-link", "Name an own file", "a link to its directory", LINK, name, by_link),
    #[cfg(target_os = "linux")]
    by!("name-held", "Name an own file", "a held directory", LINK, name, by_held),
    #[cfg(target_os = "linux")]
    by!(
        "directory-root",
        "Make a directory",
        "the root of the own process",
        DIRECTORY,
        directory,
        by_root
    ),
    by!("directory-link", "Make a directory", "a link there", DIRECTORY, directory, by_link),
    #[cfg(target_os = "linux")]
    by!("directory-held", "Make a directory", "a held directory", DIRECTORY, directory, by_held),
];

/// The directory outside by some way, for as long as what it stands on is held, and the run directory.
pub(super) struct Way {
    pub(super) outside: PathBuf,
    run: PathBuf,
    _held: Option<OwnedFd>,
}

fn way(scene: &Scene, outside: PathBuf) -> Way {
    Way { outside, run: scene.run().to_owned(), _held: None }
}

#[cfg(target_os = "linux")]
pub(super) fn by_root(scene: &Scene) -> io::Result<Way> {
    Ok(way(scene, own_names::by_root(&scene.path("outside")?)))
}

#[cfg(target_os = "linux")]
fn by_task(scene: &Scene) -> io::Result<Way> {
    Ok(way(scene, own_names::beneath("/proc/thread-self/root", &scene.path("outside")?)))
}

pub(super) fn by_link(scene: &Scene) -> io::Result<Way> {
    let link = scene.run().join("door");
    symlink(scene.path("outside")?, &link)?;
    Ok(way(scene, link))
}

/// Holding a directory needs no right to it.
#[cfg(target_os = "linux")]
pub(super) fn by_held(scene: &Scene) -> io::Result<Way> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let held = rustix::fs::openat(rustix::fs::CWD, scene.path("outside")?, flags, Mode::empty())?;
    let outside = own_names::of_descriptor(&held);
    Ok(Way { _held: Some(held), ..way(scene, outside) })
}

fn by_up(scene: &Scene) -> io::Result<Way> {
    Ok(way(scene, scene.run().join("../outside")))
}

fn write(way: &Way) -> io::Result<Vec<u8>> {
    let mut file = OpenOptions::new().write(true).open(way.outside.join("writable"))?;
    done(file.write_all(b"changed"))
}

fn truncate(way: &Way) -> io::Result<Vec<u8>> {
    done(nix::unistd::truncate(&way.outside.join("writable"), 0))
}

fn delete(way: &Way) -> io::Result<Vec<u8>> {
    done(fs::remove_file(way.outside.join("writable")))
}

fn create(way: &Way) -> io::Result<Vec<u8>> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    done(open(way.outside.join("made"), flags, Mode::RUSR))
}

fn replace(way: &Way) -> io::Result<Vec<u8>> {
    let mine = way.run.join("mine");
    File::create(&mine)?;
    done(fs::rename(mine, way.outside.join("writable")))
}

fn name(way: &Way) -> io::Result<Vec<u8>> {
    let mine = way.run.join("mine");
    File::create(&mine)?;
    done(fs::hard_link(mine, way.outside.join("made")))
}

fn directory(way: &Way) -> io::Result<Vec<u8>> {
    done(fs::create_dir(way.outside.join("made")))
}
