//! Extended attributes of a file outside: labels, access lists and hidden content. No right of
//! Landlock covers them.

use super::effect::done;
#[cfg(target_os = "linux")]
use crate::own_names;
#[cfg(target_os = "linux")]
use crate::raw;
use harness::escape::{Escape, Layer};
#[cfg(target_os = "linux")]
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use rustix::fs::{CWD, Mode, OFlags, open};
use rustix::fs::{XattrFlags, lsetxattr, removexattr, setxattr};
#[cfg(target_os = "linux")]
use std::ffi::CString;
#[cfg(target_os = "linux")]
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;

const XATTR: Escape = Escape {
    techniques: &["FW-SETXATTR"],
    references: &[
        "https://github.com/landlock-lsm/linux/issues/11",
        "https://man7.org/linux/man-pages/man7/xattr.7.html",
        "https://attack.mitre.org/techniques/T1564/004/",
    ],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt],
    ..Escape::BLANK
};

/// The calls that came with Linux 6.13.
#[cfg(target_os = "linux")]
const AT: Escape = Escape {
    techniques: &["FW-SETXATTRAT463", "SC-NEWSYSCALL"],
    references: &["https://github.com/flatpak/flatpak/pull/4462"],
    ..XATTR
};
/// libc does not know the numbers yet.
#[cfg(target_os = "linux")]
const SETXATTRAT: i64 = 463;
#[cfg(target_os = "linux")]
const REMOVEXATTRAT: i64 = 466;

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/set-xattr",
        summary: "Set an extended attribute of a file outside",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/setxattr", "hook/os.setxattr"],
        native: Some(|scene| {
            done(setxattr(scene.path("writable")?, "user.planted", b"1", XattrFlags::empty()))
        }),
        // Python has no such call on macOS.
        #[cfg(target_os = "linux")]
        python: Some(include_str!("set_xattr.py")),
        ..XATTR
    },
    Escape {
        id: "fs-write/set-xattr.link",
        summary: "Set an extended attribute of a file outside without following links",
        witnesses: &["seccomp/lsetxattr"],
        native: Some(|scene| {
            done(lsetxattr(scene.path("writable")?, "user.planted", b"1", XattrFlags::empty()))
        }),
        ..XATTR
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/set-xattr.path-only",
        summary: "Set an extended attribute by the /proc name of a path-only descriptor",
        witnesses: &["seccomp/setxattr"],
        native: Some(|scene| {
            let place = open(scene.path("writable")?, OFlags::PATH, Mode::empty())?;
            let name = own_names::of_descriptor(&place);
            done(setxattr(name, "user.planted", b"1", XattrFlags::empty()))
        }),
        ..XATTR
    },
    Escape {
        id: "fs-write/set-xattr.remove",
        summary: "Remove an extended attribute of a file outside",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/removexattr", "hook/os.removexattr"],
        native: Some(|scene| done(removexattr(scene.path("attributed")?, "user.decoy"))),
        // Python has no such call on macOS.
        #[cfg(target_os = "linux")]
        python: Some(include_str!("set_xattr.remove.py")),
        ..XATTR
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/set-xattr.remove-link",
        summary: "Remove an extended attribute of a file outside without following links",
        witnesses: &["seccomp/lremovexattr"],
        native: Some(|scene| {
            let path = CString::new(scene.clue("attributed")?.as_bytes())?;
            let (path, name) = (path.as_ptr() as usize, c"user.decoy".as_ptr() as usize);
            done(raw::call(libc::SYS_lremovexattr, [path, name, 0, 0, 0, 0]))
        }),
        ..XATTR
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/set-xattr.at",
        summary: "Set an extended attribute of a file outside by setxattrat",
        witnesses: &["seccomp/setxattrat"],
        native: Some(set_at),
        ..AT
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/set-xattr.remove-at",
        summary: "Remove an extended attribute of a file outside by removexattrat",
        witnesses: &["seccomp/removexattrat"],
        native: Some(|scene| {
            let path = CString::new(scene.clue("attributed")?.as_bytes())?;
            let (path, name) = (path.as_ptr() as usize, c"user.decoy".as_ptr() as usize);
            done(raw::call(REMOVEXATTRAT, [CWD.as_raw_fd() as usize, path, 0, name, 0, 0]))
        }),
        ..AT
    },
];

#[cfg(target_os = "linux")]
fn set_at(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = CString::new(scene.clue("writable")?.as_bytes())?;
    let value = b"1";
    // `struct xattr_args`: where the value is, its length, no flags.
    let arguments = [value.as_ptr() as u64, value.len() as u64];
    done(raw::call(
        SETXATTRAT,
        [
            CWD.as_raw_fd() as usize,
            path.as_ptr() as usize,
            0,
            c"user.planted".as_ptr() as usize,
            arguments.as_ptr() as usize,
            size_of_val(&arguments),
        ],
    ))
}
