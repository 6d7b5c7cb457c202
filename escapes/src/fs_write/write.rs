//! Changing the content of a file outside that every user may write.

use super::effect::done;
#[cfg(target_os = "linux")]
use crate::own_names;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
#[cfg(target_os = "linux")]
use std::fs::File;
use std::fs::OpenOptions;
use std::io::{self, Write};

const WRITE: Escape = Escape {
    techniques: &["FW-WRITE"],
    references: &["https://man.archlinux.org/man/landlock.7.en.raw", "CWE-732"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/write",
        summary: "Overwrite the first bytes of a file outside",
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| by(scene, OpenOptions::new().write(true))),
        python: Some(include_str!("write.py")),
        ..WRITE
    },
    Escape {
        id: "fs-write/write.append",
        summary: "Append to a file outside",
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| by(scene, OpenOptions::new().append(true))),
        python: Some(include_str!("write.append.py")),
        ..WRITE
    },
    Escape {
        id: "fs-write/write.update",
        summary: "Open a file outside for reading and writing and write",
        // Reading is refused too: no witness for the right to write.
        witnesses: &["landlock/read-file", "landlock/write-file", "hook/open"],
        native: Some(|scene| by(scene, OpenOptions::new().read(true).write(true))),
        python: Some(include_str!("write.update.py")),
        ..WRITE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/write.openat2",
        summary: "Open a file outside for writing by openat2 and write",
        references: &["https://man7.org/linux/man-pages/man2/openat2.2.html"],
        stops: &[Layer::Landlock, Layer::MountNamespace],
        witnesses: &["landlock/write-file"],
        native: Some(|scene| {
            let flags = OFlags::WRONLY | OFlags::CLOEXEC;
            let (path, resolve) = (scene.path("writable")?, ResolveFlags::NO_SYMLINKS);
            let file = openat2(CWD, path, flags, Mode::empty(), resolve)?;
            done(File::from(file).write_all(b"changed"))
        }),
        ..WRITE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/write.reopened",
        summary: "Open a file outside for its path only, then open its /proc name for writing",
        references: &["https://man7.org/linux/man-pages/man2/open.2.html"],
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(reopened),
        python: Some(include_str!("write.reopened.py")),
        ..WRITE
    },
    Escape {
        id: "fs-write/write.symlink",
        summary: "Write to a file outside through an own symbolic link",
        references: &["CWE-59", "https://github.com/multikernel/sandlock/issues/112"],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| {
            let link = scene.run().join("link");
            std::os::unix::fs::symlink(scene.clue("writable")?, &link)?;
            done(OpenOptions::new().write(true).open(link)?.write_all(b"changed"))
        }),
        python: Some(include_str!("write.symlink.py")),
        ..WRITE
    },
];

fn by(scene: &Scene, options: &OpenOptions) -> io::Result<Vec<u8>> {
    done(options.open(scene.path("writable")?)?.write_all(b"changed"))
}

#[cfg(target_os = "linux")]
fn reopened(scene: &Scene) -> io::Result<Vec<u8>> {
    let place = rustix::fs::open(scene.path("writable")?, OFlags::PATH, Mode::empty())?;
    let name = own_names::of_descriptor(&place);
    done(OpenOptions::new().write(true).open(name)?.write_all(b"changed"))
}
