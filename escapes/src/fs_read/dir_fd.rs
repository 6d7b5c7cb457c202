//! A directory outside that the launcher has left open: paths that begin there never pass the root.

use super::descriptor::contents;
use crate::raw;
use fixtures::watch::inherited::INHERITED_DIRECTORY;
#[cfg(target_os = "linux")]
use fixtures::watch::inherited::INHERITED_PATH_FD;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{Mode, OFlags, openat};
#[cfg(target_os = "linux")]
use rustix::fs::{ResolveFlags, openat2};
use rustix::process::fchdir;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;

const DIRECTORY: Escape = Escape {
    techniques: &["FR-DIRFD"],
    references: &[
        "CWE-403",
        "https://github.com/opencontainers/runc/security/advisories/GHSA-xr7r-f8xq-vfvv",
        "https://safeguard.sh/resources/blog/leaky-vessels-runc-container-escape-class-2024",
    ],
    decoys: &[INHERITED_DIRECTORY],
    stops: &[Layer::Landlock, Layer::Hygiene],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/dir-fd",
        summary: "Read a secret by its name beneath an inherited directory",
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::Seatbelt, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "landlock/read-file"],
        native: Some(|scene| contents(openat(directory(scene)?, "secret", READ, Mode::empty())?)),
        python: Some(include_str!("dir_fd.py")),
        ..DIRECTORY
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-read/dir-fd.path-only",
        summary: "Read a secret by its name beneath an inherited path-only descriptor",
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::Hook],
        decoys: &[INHERITED_PATH_FD],
        witnesses: &["hygiene/close-descriptors", "landlock/read-file"],
        native: Some(|scene| {
            let place = raw::inherited(scene.number("inherited-path-fd")?)?;
            contents(openat(place, "secret", READ, Mode::empty())?)
        }),
        python: Some(include_str!("dir_fd.path_only.py")),
        ..DIRECTORY
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-read/dir-fd.openat2",
        summary: "Read a secret by openat2 with an inherited directory as the root",
        witnesses: &["hygiene/close-descriptors", "landlock/read-file"],
        native: Some(|scene| {
            let root = directory(scene)?;
            contents(openat2(root, "/secret", READ, Mode::empty(), ResolveFlags::IN_ROOT)?)
        }),
        ..DIRECTORY
    },
    Escape {
        id: "fs-read/dir-fd.entered",
        summary: "Enter an inherited directory and read a secret by its bare name",
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::Seatbelt, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "landlock/read-file"],
        native: Some(|scene| {
            let home = File::open(scene.run())?;
            fchdir(directory(scene)?)?;
            let loot = fs::read("secret");
            fchdir(home)?;
            loot
        }),
        python: Some(include_str!("dir_fd.entered.py")),
        ..DIRECTORY
    },
];

const READ: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC);

fn directory(scene: &Scene) -> io::Result<OwnedFd> {
    raw::inherited(scene.number("inherited-directory")?)
}
