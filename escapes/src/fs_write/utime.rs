//! The times of a file outside: builds, backups and caches believe them. The call has four names,
//! and a list of forbidden ones forgets some.

use super::effect::done;
use crate::raw;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use std::ffi::CString;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;

const UTIME: Escape = Escape {
    techniques: &["FW-UTIME"],
    references: &[
        "https://github.com/Zouuup/landrun/issues/58",
        "https://github.com/landlock-lsm/linux/issues/11",
        "https://attack.mitre.org/techniques/T1070/006/",
    ],
    stops: &[Layer::Seccomp, Layer::MountNamespace],
    silent: Some("a filter may answer success and change nothing, so that copying programs go on"),
    ..Escape::BLANK
};

/// The old calls, which only this architecture has.
const OLD: Escape = Escape { needs: &[Need::Architecture("x86_64")], ..UTIME };
const OLD_UTIME: i64 = 132;
const OLD_UTIMES: i64 = 235;
const OLD_FUTIMESAT: i64 = 261;

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/utime",
        summary: "Change the times of a file outside by utimensat",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/utimensat", "hook/os.utime"],
        native: Some(|scene| {
            let epoch = Timespec { tv_sec: 1, tv_nsec: 0 };
            let times = Timestamps { last_access: epoch, last_modification: epoch };
            done(utimensat(CWD, scene.path("writable")?, &times, AtFlags::empty()))
        }),
        python: Some(include_str!("utime.py")),
        ..UTIME
    },
    Escape {
        id: "fs-write/utime.seconds",
        summary: "Change the times of a file outside by utime",
        witnesses: &["seccomp/utime"],
        native: Some(|scene| old(scene, |path| (OLD_UTIME, [path, 0, 0, 0, 0, 0]))),
        ..OLD
    },
    Escape {
        id: "fs-write/utime.microseconds",
        summary: "Change the times of a file outside by utimes",
        witnesses: &["seccomp/utimes"],
        native: Some(|scene| old(scene, |path| (OLD_UTIMES, [path, 0, 0, 0, 0, 0]))),
        ..OLD
    },
    Escape {
        id: "fs-write/utime.at",
        summary: "Change the times of a file outside by futimesat",
        witnesses: &["seccomp/futimesat"],
        native: Some(|scene| {
            old(scene, |path| (OLD_FUTIMESAT, [CWD.as_raw_fd() as usize, path, 0, 0, 0, 0]))
        }),
        ..OLD
    },
];

/// Makes an old call, without times: the kernel takes the present.
fn old(scene: &Scene, call: fn(usize) -> (i64, [usize; 6])) -> io::Result<Vec<u8>> {
    let path = CString::new(scene.clue("writable")?.as_bytes())?;
    let (number, arguments) = call(path.as_ptr() as usize);
    done(raw::call(number, arguments))
}
