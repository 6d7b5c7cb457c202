//! Other ways to what only an owner may change: mode, owner, times, attributes. No right of Landlock covers
//! them, so a sandbox that judges paths must know every way to a file.

use super::effect::done;
use super::route::{Way, by_link};
#[cfg(target_os = "linux")]
use super::route::{by_held, by_root};
#[cfg(target_os = "linux")]
use crate::raw;
use harness::escape::{Escape, Layer};
#[cfg(target_os = "linux")]
use harness::scene::Scene;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, XattrFlags, setxattr, utimensat};
#[cfg(target_os = "linux")]
use rustix::fs::{Mode, OFlags, open};
use std::fs::{self, Permissions};
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::PathBuf;

const SILENT: Option<&str> =
    Some("a filter may answer success and change nothing, so that copying programs go on");

const WAY: Escape = Escape {
    references: &["CWE-22", "https://github.com/landlock-lsm/linux/issues/11"],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt],
    ..Escape::BLANK
};

const MODE: Escape =
    Escape { techniques: &["FW-CHMOD"], witnesses: &["seccomp/chmod"], silent: SILENT, ..WAY };
const OWNER: Escape =
    Escape { techniques: &["FW-CHOWN"], witnesses: &["seccomp/chown"], silent: SILENT, ..WAY };
const TIMES: Escape =
    Escape { techniques: &["FW-UTIME"], witnesses: &["seccomp/utimensat"], silent: SILENT, ..WAY };
const ATTRIBUTE: Escape =
    Escape { techniques: &["FW-SETXATTR"], witnesses: &["seccomp/setxattr"], ..WAY };

/// One act by one way.
macro_rules! by {
    ($id:literal, $what:literal, $way:literal, $base:ident, $act:ident, $open:ident) => {
        Escape {
            id: concat!("fs-write/route-owner.", $id),
            summary: concat!($what, " of a file outside by ", $way),
            native: Some(|scene| $act(&$open(scene)?)),
            ..$base
        }
    };
}

pub(super) const ESCAPES: &[Escape] = &[
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/route-owner",
        summary: "Change the mode of a file outside by the root of the own process",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Hook],
        witnesses: &["seccomp/chmod", "hook/os.chmod"],
        native: Some(|scene| mode(&by_root(scene)?)),
        python: Some(include_str!("route_owner.py")),
        ..MODE
    },
    by!("mode-link", "Change the mode", "a link to its directory", MODE, mode, by_link),
    #[cfg(target_os = "linux")]
    by!("mode-held", "Change the mode", "a held directory", MODE, mode, by_held),
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/route-owner.mode-empty",
        summary: "Change the mode of a file outside by an empty path",
        techniques: &["FW-CHMOD", "SC-NEWSYSCALL"],
        witnesses: &["seccomp/fchmodat2"],
        native: Some(|scene| mode_of(&held(scene)?)),
        ..MODE
    },
    #[cfg(target_os = "linux")]
    by!("owner-root", "Set the owner", "the root of the own process", OWNER, owner, by_root),
    by!("owner-link", "Set the owner", "a link to its directory", OWNER, owner, by_link),
    #[cfg(target_os = "linux")]
    by!("owner-held", "Set the owner", "a held directory", OWNER, owner, by_held),
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/route-owner.owner-empty",
        summary: "Set the owner of a file outside by an empty path",
        witnesses: &["seccomp/fchownat"],
        native: Some(|scene| owner_of(&held(scene)?)),
        ..OWNER
    },
    #[cfg(target_os = "linux")]
    by!("times-root", "Change the times", "the root of the own process", TIMES, times, by_root),
    by!("times-link", "Change the times", "a link to its directory", TIMES, times, by_link),
    #[cfg(target_os = "linux")]
    by!("times-held", "Change the times", "a held directory", TIMES, times, by_held),
    #[cfg(target_os = "linux")]
    by!("times-empty", "Change the times", "an empty path", TIMES, times_of, held),
    #[cfg(target_os = "linux")]
    by!(
        "attribute-root",
        "Set an attribute",
        "the root of the own process",
        ATTRIBUTE,
        attribute,
        by_root
    ),
    by!(
        "attribute-link",
        "Set an attribute",
        "a link to its directory",
        ATTRIBUTE,
        attribute,
        by_link
    ),
    #[cfg(target_os = "linux")]
    by!("attribute-held", "Set an attribute", "a held directory", ATTRIBUTE, attribute, by_held),
];

/// The file, held for its path only, which needs no right to it.
#[cfg(target_os = "linux")]
fn held(scene: &Scene) -> io::Result<OwnedFd> {
    Ok(open(scene.path("writable")?, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?)
}

fn file(way: &Way) -> PathBuf {
    way.outside.join("writable")
}

fn mode(way: &Way) -> io::Result<Vec<u8>> {
    done(fs::set_permissions(file(way), Permissions::from_mode(0o640)))
}

fn owner(way: &Way) -> io::Result<Vec<u8>> {
    done(chown(file(way), Some(rustix::process::getuid().as_raw()), None))
}

fn epoch() -> Timestamps {
    let epoch = Timespec { tv_sec: 1, tv_nsec: 0 };
    Timestamps { last_access: epoch, last_modification: epoch }
}

fn times(way: &Way) -> io::Result<Vec<u8>> {
    done(utimensat(CWD, file(way), &epoch(), AtFlags::empty()))
}

fn attribute(way: &Way) -> io::Result<Vec<u8>> {
    done(setxattr(file(way), "user.planted", b"1", XattrFlags::empty()))
}

#[cfg(target_os = "linux")]
const EMPTY: usize = libc::AT_EMPTY_PATH as usize;

/// Linux 6.6.
#[cfg(target_os = "linux")]
fn mode_of(file: &OwnedFd) -> io::Result<Vec<u8>> {
    let (number, path) = (file.as_raw_fd() as usize, c"".as_ptr() as usize);
    done(raw::call(libc::SYS_fchmodat2, [number, path, 0o640, EMPTY, 0, 0]))
}

#[cfg(target_os = "linux")]
fn owner_of(file: &OwnedFd) -> io::Result<Vec<u8>> {
    let user = rustix::process::getuid();
    done(rustix::fs::chownat(file, "", Some(user), None, AtFlags::EMPTY_PATH))
}

#[cfg(target_os = "linux")]
fn times_of(file: &OwnedFd) -> io::Result<Vec<u8>> {
    done(utimensat(file, "", &epoch(), AtFlags::EMPTY_PATH))
}
