//! A directory outside that the launcher has left open is enough to plant in: every name can be made
//! relative to it.

use crate::fs_write::effect::done;
use crate::raw;
use fixtures::watch::inherited::INHERITED_DIRECTORY;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{CWD, Mode, OFlags, linkat, mkdirat, openat, renameat, symlinkat};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::{fs, io};

const PLANT: Escape = Escape {
    techniques: &["FR-DIRFD", "FW-CREATE", "FW-EVIDENCE"],
    references: &[
        "CWE-403",
        "https://github.com/opencontainers/runc/security/advisories/GHSA-xr7r-f8xq-vfvv",
    ],
    decoys: &[INHERITED_DIRECTORY],
    stops: &[Layer::Landlock, Layer::Hygiene],
    ..Escape::BLANK
};

/// Below the inherited directory.
const PLANTED: &str = "deliverables/planted";

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "plant/inherited-directory",
        summary: "Create a file among the deliverables beneath an inherited directory",
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "landlock/make-reg"],
        native: Some(|scene| {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            done(openat(directory(scene)?, PLANTED, flags, Mode::RUSR))
        }),
        python: Some(include_str!("inherited_directory.py")),
        ..PLANT
    },
    Escape {
        id: "plant/inherited-directory.directory",
        summary: "Create a directory among the deliverables beneath an inherited directory",
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "landlock/make-dir"],
        native: Some(|scene| done(mkdirat(directory(scene)?, PLANTED, Mode::RWXU))),
        python: Some(include_str!("inherited_directory.directory.py")),
        ..PLANT
    },
    Escape {
        id: "plant/inherited-directory.symlink",
        summary: "Create a symbolic link among the deliverables beneath an inherited directory",
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "landlock/make-sym"],
        native: Some(|scene| done(symlinkat("/dev/null", directory(scene)?, PLANTED))),
        python: Some(include_str!("inherited_directory.symlink.py")),
        ..PLANT
    },
    Escape {
        id: "plant/inherited-directory.link",
        summary: "Give an own file a name among the deliverables beneath an inherited directory",
        // In a mount namespace the run directory is a mount of its own, and links stay within one.
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::MountNamespace],
        witnesses: &["hygiene/close-descriptors", "layer/landlock"],
        native: Some(|scene| {
            let flags = rustix::fs::AtFlags::empty();
            done(linkat(CWD, own(scene)?, directory(scene)?, PLANTED, flags))
        }),
        ..PLANT
    },
    Escape {
        id: "plant/inherited-directory.rename",
        summary: "Rename an own file over a delivered one beneath an inherited directory",
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::MountNamespace, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "layer/landlock"],
        native: Some(|scene| {
            done(renameat(CWD, own(scene)?, directory(scene)?, "deliverables/report.txt"))
        }),
        python: Some(include_str!("inherited_directory.rename.py")),
        ..PLANT
    },
];

fn directory(scene: &Scene) -> io::Result<OwnedFd> {
    raw::inherited(scene.number("inherited-directory")?)
}

fn own(scene: &Scene) -> io::Result<PathBuf> {
    let own = scene.run().join("own");
    fs::write(&own, b"planted")?;
    Ok(own)
}
