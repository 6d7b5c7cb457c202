//! A file outside that the launcher has left open for reading only. Mode, times, attributes and flags
//! belong to the file, not to the descriptor: its owner changes them through any.

use super::effect::done;
use crate::raw;
use fixtures::watch::inherited::INHERITED_SECRET;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use rustix::fs::{IFlags, ioctl_setflags};
use rustix::fs::{
    Mode, Timespec, Timestamps, Uid, XattrFlags, fchmod, fchown, fsetxattr, futimens,
};
use std::io;
use std::os::fd::OwnedFd;

const INHERITED: Escape = Escape {
    techniques: &["FW-INHERITFCHMOD"],
    references: &[
        "CWE-403",
        "https://www.sentinelone.com/vulnerability-database/cve-2026-21716",
        "https://man7.org/linux/man-pages/man2/chmod.2.html",
    ],
    decoys: &[INHERITED_SECRET],
    stops: &[Layer::Seccomp, Layer::Hygiene],
    ..Escape::BLANK
};

const SILENT: Option<&str> =
    Some("a filter may answer success and change nothing, so that copying programs go on");

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/inherited-owner",
        summary: "Change the mode of a file that was inherited for reading",
        stops: &[Layer::Seccomp, Layer::Hygiene, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "seccomp/fchmod"],
        silent: SILENT,
        native: Some(|scene| done(fchmod(file(scene)?, Mode::from_raw_mode(0o640)))),
        python: Some(include_str!("inherited_owner.py")),
        ..INHERITED
    },
    Escape {
        id: "fs-write/inherited-owner.times",
        summary: "Change the times of a file that was inherited for reading",
        stops: &[Layer::Seccomp, Layer::Hygiene, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "seccomp/utimensat"],
        silent: SILENT,
        native: Some(|scene| {
            let second = Timespec { tv_sec: 1, tv_nsec: 0 };
            let times = Timestamps { last_access: second, last_modification: second };
            done(futimens(file(scene)?, &times))
        }),
        python: Some(include_str!("inherited_owner.times.py")),
        ..INHERITED
    },
    Escape {
        id: "fs-write/inherited-owner.same",
        summary: "Make the owner of a file that was inherited for reading its owner again",
        witnesses: &["hygiene/close-descriptors", "seccomp/fchown"],
        silent: SILENT,
        native: Some(|scene| {
            let user: Uid = rustix::process::getuid();
            done(fchown(file(scene)?, Some(user), None))
        }),
        ..INHERITED
    },
    Escape {
        id: "fs-write/inherited-owner.attribute",
        summary: "Set an extended attribute of a file that was inherited for reading",
        stops: &[Layer::Seccomp, Layer::Hygiene, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "seccomp/fsetxattr"],
        native: Some(|scene| {
            done(fsetxattr(file(scene)?, "user.planted", b"1", XattrFlags::empty()))
        }),
        // Python has no such call on macOS.
        #[cfg(target_os = "linux")]
        python: Some(include_str!("inherited_owner.attribute.py")),
        ..INHERITED
    },
    Escape {
        id: "fs-write/inherited-owner.no-attribute",
        summary: "Remove an extended attribute of a file that was inherited for reading",
        decoys: &[&crate::metadata::named::Named],
        witnesses: &["hygiene/close-descriptors", "seccomp/fremovexattr"],
        native: Some(|scene| {
            let file = raw::borrow(scene.number("named-descriptor")?);
            done(rustix::fs::fremovexattr(file, "user.named"))
        }),
        ..INHERITED
    },
    Escape {
        id: "fs-write/inherited-owner.flags",
        summary: "Set an inode flag of a file that was inherited for reading",
        techniques: &["FW-INHERITFCHMOD", "FW-IOCFLAGS"],
        witnesses: &["hygiene/close-descriptors", "seccomp/ioctl"],
        native: Some(flags),
        ..INHERITED
    },
];

fn file(scene: &Scene) -> io::Result<OwnedFd> {
    raw::inherited(scene.number("inherited-secret")?)
}

#[cfg(target_os = "linux")]
fn flags(scene: &Scene) -> io::Result<Vec<u8>> {
    done(ioctl_setflags(file(scene)?, IFlags::NODUMP))
}

#[cfg(target_os = "macos")]
fn flags(scene: &Scene) -> io::Result<Vec<u8>> {
    use std::os::fd::AsFd;
    done(raw::change_open_flags(file(scene)?.as_fd(), libc::UF_NODUMP))
}
