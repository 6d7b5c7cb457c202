//! A hard link brings the secret's inode into the directory that the program may read.

#[cfg(target_os = "linux")]
use crate::own_names;
#[cfg(target_os = "linux")]
use harness::escape::Need;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{AtFlags, CWD, linkat};
#[cfg(target_os = "linux")]
use rustix::fs::{Mode, OFlags, open};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::{fs, io};

const LINK: Escape = Escape {
    techniques: &["FR-LINKIN"],
    references: &[
        "CWE-62",
        "https://man.archlinux.org/man/landlock.7.en.raw",
        "https://github.com/anthropic-experimental/sandbox-runtime/issues/8",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/link-in",
        summary: "Hard-link a secret into the run directory and read it there",
        witnesses: &["layer/landlock", "hook/os.link"],
        native: Some(|scene| {
            fs::hard_link(scene.path("secret")?, bait(scene))?;
            take(&bait(scene))
        }),
        python: Some(include_str!("link_in.py")),
        ..LINK
    },
    Escape {
        id: "fs-read/link-in.followed",
        summary: "Hard-link what an own symbolic link names into the run directory and read it there",
        witnesses: &["layer/landlock", "hook/os.link"],
        native: Some(followed),
        python: Some(include_str!("link_in.followed.py")),
        ..LINK
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-read/link-in.descriptor",
        summary: "Hard-link a path-only descriptor of a secret by its /proc name and read it",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
        witnesses: &["layer/landlock", "hook/open", "hook/os.link"],
        native: Some(|scene| {
            let secret = open(scene.path("secret")?, OFlags::PATH, Mode::empty())?;
            let name = own_names::of_descriptor(&secret);
            linkat(CWD, name, CWD, bait(scene), AtFlags::SYMLINK_FOLLOW)?;
            take(&bait(scene))
        }),
        python: Some(include_str!("link_in.descriptor.py")),
        ..LINK
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-read/link-in.empty-path",
        summary: "Hard-link a path-only descriptor of a secret by an empty path and read it",
        stops: &[Layer::Landlock, Layer::MountNamespace],
        references: &["https://man7.org/linux/man-pages/man2/link.2.html"],
        needs: &[Need::Capability(2, "CAP_DAC_READ_SEARCH")],
        witnesses: &["layer/landlock"],
        native: Some(|scene| {
            let secret = open(scene.path("secret")?, OFlags::PATH, Mode::empty())?;
            linkat(secret, "", CWD, bait(scene), AtFlags::EMPTY_PATH)?;
            take(&bait(scene))
        }),
        ..LINK
    },
];

fn followed(scene: &Scene) -> io::Result<Vec<u8>> {
    let link = scene.run().join("link");
    symlink(scene.clue("secret")?, &link)?;
    let linked = linkat(CWD, &link, CWD, bait(scene), AtFlags::SYMLINK_FOLLOW);
    fs::remove_file(&link)?;
    linked?;
    take(&bait(scene))
}

fn bait(scene: &Scene) -> std::path::PathBuf {
    scene.run().join("bait")
}

/// Reads the link and removes it again.
fn take(path: &Path) -> io::Result<Vec<u8>> {
    let loot = fs::read(path);
    fs::remove_file(path)?;
    loot
}
