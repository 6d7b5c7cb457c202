//! The times of a file outside: builds, backups and caches believe them. The call has four names,
//! and a list of forbidden ones forgets some.

use super::effect::done;
#[cfg(target_os = "linux")]
use crate::raw;
#[cfg(target_os = "linux")]
use harness::escape::Need;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
#[cfg(target_os = "linux")]
use std::ffi::CString;
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;

const UTIME: Escape = Escape {
    techniques: &["FW-UTIME"],
    references: &[
        "https://github.com/Zouuup/landrun/issues/58",
        "https://github.com/landlock-lsm/linux/issues/11",
        "https://attack.mitre.org/techniques/T1070/006/",
    ],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt],
    silent: Some("a filter may answer success and change nothing, so that copying programs go on"),
    ..Escape::BLANK
};

/// The old calls, which only this architecture has.
#[cfg(target_os = "linux")]
const OLD: Escape = Escape { needs: &[Need::Architecture("x86_64")], ..UTIME };
#[cfg(target_os = "linux")]
const OLD_UTIME: i64 = 132;
#[cfg(target_os = "linux")]
const OLD_UTIMES: i64 = 235;
#[cfg(target_os = "linux")]
const OLD_FUTIMESAT: i64 = 261;

/// Every processor has them here.
#[cfg(target_os = "macos")]
const OLD: Escape = UTIME;

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
    #[cfg(target_os = "linux")]
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
        native: Some(microseconds),
        ..OLD
    },
    #[cfg(target_os = "linux")]
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

#[cfg(target_os = "linux")]
fn microseconds(scene: &Scene) -> io::Result<Vec<u8>> {
    old(scene, |path| (OLD_UTIMES, [path, 0, 0, 0, 0, 0]))
}

#[cfg(target_os = "macos")]
fn microseconds(scene: &Scene) -> io::Result<Vec<u8>> {
    use nix::sys::time::{TimeVal, TimeValLike};
    let second = TimeVal::seconds(1);
    done(nix::sys::stat::utimes(&scene.path("writable")?, &second, &second))
}

/// Makes an old call, without times: the kernel takes the present.
#[cfg(target_os = "linux")]
fn old(scene: &Scene, call: fn(usize) -> (i64, [usize; 6])) -> io::Result<Vec<u8>> {
    let path = CString::new(scene.clue("writable")?.as_bytes())?;
    let (number, arguments) = call(path.as_ptr() as usize);
    done(raw::call(number, arguments))
}
