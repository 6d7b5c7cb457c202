//! The same files by their bare names beneath a descriptor of the directory outside, held for its path only.
//! Whoever judges the text of a path sees a name without a place.

use super::effect::done;
use crate::raw;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, Timespec, Timestamps, chmodat, chownat,
    linkat, mkdirat, mknodat, openat, openat2, renameat, symlinkat, unlinkat, utimensat,
};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;

const AT: Escape = Escape {
    references: &["CWE-22", "https://man7.org/linux/man-pages/man2/openat.2.html"],
    stops: &[Layer::Landlock, Layer::MountNamespace],
    ..Escape::BLANK
};

/// What no right of Landlock covers.
const OWNERS: Escape = Escape {
    references: &["CWE-22", "https://github.com/landlock-lsm/linux/issues/11"],
    stops: &[Layer::Seccomp, Layer::MountNamespace],
    silent: Some("a filter may answer success and change nothing, so that copying programs go on"),
    ..Escape::BLANK
};

const WRITE: Escape =
    Escape { techniques: &["FW-WRITE"], witnesses: &["landlock/write-file"], ..AT };
const CREATE: Escape =
    Escape { techniques: &["FW-CREATE"], witnesses: &["landlock/make-reg"], ..AT };
const MOVE: Escape = Escape { techniques: &["FW-MOVEOUT"], witnesses: &["layer/landlock"], ..AT };

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/route-at",
        summary: "Write to a file outside by its name beneath a path-only descriptor",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| write(openat(held(scene)?, FILE, OFlags::WRONLY, Mode::empty())?)),
        python: Some(include_str!("route_at.py")),
        ..WRITE
    },
    Escape {
        id: "fs-write/route-at.write-beneath",
        summary: "Write to a file outside by openat2 beneath a path-only descriptor and never above it",
        native: Some(|scene| write(resolved(held(scene)?, FILE.into(), ResolveFlags::BENEATH)?)),
        ..WRITE
    },
    Escape {
        id: "fs-write/route-at.write-in-root",
        summary: "Write to a file outside by openat2 with a path-only descriptor of / as the root",
        native: Some(|scene| {
            let root = openat(CWD, "/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
            write(resolved(root, scene.path("writable")?, ResolveFlags::IN_ROOT)?)
        }),
        ..WRITE
    },
    Escape {
        id: "fs-write/route-at.truncate",
        summary: "Empty a file outside by its name beneath a path-only descriptor",
        techniques: &["FW-TRUNCATE"],
        witnesses: &["landlock/truncate", "landlock/write-file"],
        native: Some(|scene| {
            let flags = OFlags::WRONLY | OFlags::TRUNC | OFlags::CLOEXEC;
            done(openat(held(scene)?, FILE, flags, Mode::empty()))
        }),
        ..AT
    },
    Escape {
        id: "fs-write/route-at.create",
        summary: "Make a file outside by its name beneath a path-only descriptor",
        native: Some(|scene| {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            done(openat(held(scene)?, "made", flags, Mode::RUSR))
        }),
        ..CREATE
    },
    Escape {
        id: "fs-write/route-at.directory",
        summary: "Make a directory outside by its name beneath a path-only descriptor",
        witnesses: &["landlock/make-dir"],
        native: Some(|scene| done(mkdirat(held(scene)?, "made", Mode::RWXU))),
        ..CREATE
    },
    Escape {
        id: "fs-write/route-at.symlink",
        summary: "Make a symbolic link outside by its name beneath a path-only descriptor",
        witnesses: &["landlock/make-sym"],
        native: Some(|scene| done(symlinkat("/dev/null", held(scene)?, "made"))),
        ..CREATE
    },
    Escape {
        id: "fs-write/route-at.fifo",
        summary: "Make a named pipe outside by its name beneath a path-only descriptor",
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["landlock/make-fifo", "seccomp/mknodat"],
        native: Some(|scene| done(mknodat(held(scene)?, "made", FileType::Fifo, Mode::RUSR, 0))),
        ..CREATE
    },
    Escape {
        id: "fs-write/route-at.delete",
        summary: "Remove a file outside by its name beneath a path-only descriptor",
        techniques: &["FW-DELETE"],
        witnesses: &["landlock/remove-file"],
        native: Some(|scene| done(unlinkat(held(scene)?, FILE, AtFlags::empty()))),
        ..AT
    },
    Escape {
        id: "fs-write/route-at.replace",
        summary: "Replace a file outside by its name beneath a path-only descriptor",
        techniques: &["FW-RENAMEOVER"],
        native: Some(|scene| done(renameat(CWD, own(scene)?, held(scene)?, FILE))),
        ..MOVE
    },
    Escape {
        id: "fs-write/route-at.second-name",
        summary: "Give an own file a second name outside beneath a path-only descriptor",
        native: Some(|scene| {
            done(linkat(CWD, own(scene)?, held(scene)?, "made", AtFlags::empty()))
        }),
        ..MOVE
    },
    Escape {
        id: "fs-write/route-at.mode",
        summary: "Change the mode of a file outside by its name beneath a path-only descriptor",
        techniques: &["FW-CHMOD"],
        witnesses: &["seccomp/fchmodat"],
        native: Some(|scene| {
            done(chmodat(held(scene)?, FILE, Mode::RUSR | Mode::WUSR, AtFlags::empty()))
        }),
        ..OWNERS
    },
    Escape {
        id: "fs-write/route-at.owner",
        summary: "Set the owner of a file outside by its name beneath a path-only descriptor",
        techniques: &["FW-CHOWN"],
        witnesses: &["seccomp/fchownat"],
        native: Some(|scene| {
            let user = rustix::process::getuid();
            done(chownat(held(scene)?, FILE, Some(user), None, AtFlags::empty()))
        }),
        ..OWNERS
    },
    Escape {
        id: "fs-write/route-at.times",
        summary: "Change the times of a file outside by its name beneath a path-only descriptor",
        techniques: &["FW-UTIME"],
        witnesses: &["seccomp/utimensat"],
        native: Some(|scene| {
            let epoch = Timespec { tv_sec: 1, tv_nsec: 0 };
            let times = Timestamps { last_access: epoch, last_modification: epoch };
            done(utimensat(held(scene)?, FILE, &times, AtFlags::empty()))
        }),
        ..OWNERS
    },
    Escape {
        id: "fs-write/route-at.attribute",
        summary: "Set an attribute of a file outside by its name beneath a path-only descriptor",
        techniques: &["FW-SETXATTRAT463", "SC-NEWSYSCALL"],
        witnesses: &["seccomp/setxattrat"],
        silent: None,
        native: Some(attribute),
        ..OWNERS
    },
];

const FILE: &str = "writable";

fn held(scene: &Scene) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(CWD, scene.path("outside")?, flags, Mode::empty())?)
}

fn own(scene: &Scene) -> io::Result<PathBuf> {
    let own = scene.run().join("own");
    fs::write(&own, b"moved")?;
    Ok(own)
}

fn resolved(directory: OwnedFd, path: PathBuf, how: ResolveFlags) -> io::Result<OwnedFd> {
    Ok(openat2(directory, path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty(), how)?)
}

fn write(file: OwnedFd) -> io::Result<Vec<u8>> {
    done(File::from(file).write_all(b"changed"))
}

/// Linux 6.13; libc does not know the number yet.
const SETXATTRAT: i64 = 463;

fn attribute(scene: &Scene) -> io::Result<Vec<u8>> {
    let (directory, value) = (held(scene)?, b"1");
    // `struct xattr_args`: where the value is, its length, no flags.
    let arguments = [value.as_ptr() as u64, value.len() as u64];
    let (place, size) = (arguments.as_ptr() as usize, size_of_val(&arguments));
    let (path, name) = (c"writable".as_ptr() as usize, c"user.planted".as_ptr() as usize);
    let number = directory.as_raw_fd() as usize;
    done(raw::call(SETXATTRAT, [number, path, 0, name, place, size]))
}
