//! The newer open call: a filter or a tracer that knows only `open` and `openat` misses it, and its
//! own resolve flags tempt to take them for a boundary.

use super::descriptor::contents;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

const OPENAT2: Escape = Escape {
    techniques: &["FR-OPENAT2"],
    references: &[
        "https://github.com/flatpak/flatpak/pull/4456",
        "https://man7.org/linux/man-pages/man2/openat2.2.html",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/openat2",
        summary: "Open a secret by openat2 and read it",
        witnesses: &["landlock/read-file"],
        native: Some(|scene| read(CWD, &scene.path("secret")?, ResolveFlags::empty())),
        ..OPENAT2
    },
    Escape {
        id: "fs-read/openat2.beneath",
        summary: "Open a secret by openat2 beneath a path-only descriptor of its directory",
        witnesses: &["landlock/read-file"],
        native: Some(beneath),
        ..OPENAT2
    },
    Escape {
        id: "fs-read/openat2.in-root",
        summary: "Open a secret by openat2 with a path-only descriptor of / as the root",
        witnesses: &["landlock/read-file"],
        native: Some(|scene| {
            let root = place(Path::new("/"))?;
            read(root, &scene.path("secret")?, ResolveFlags::IN_ROOT)
        }),
        ..OPENAT2
    },
];

/// Opening a place with `O_PATH` needs no right on it, so the descriptor itself is no obstacle.
fn place(path: &Path) -> io::Result<rustix::fd::OwnedFd> {
    Ok(rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?)
}

fn beneath(scene: &Scene) -> io::Result<Vec<u8>> {
    let secret = scene.path("secret")?;
    let directory = place(secret.parent().unwrap_or(Path::new("/")))?;
    let name = secret.file_name().unwrap_or(OsStr::new("."));
    read(directory, Path::new(name), ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS)
}

fn read(directory: impl AsFd, path: &Path, resolve: ResolveFlags) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    contents(openat2(directory, path, flags, Mode::empty(), resolve)?)
}
