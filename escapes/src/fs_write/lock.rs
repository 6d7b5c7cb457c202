//! Keeping others from a file outside: whoever may open it, even only to read, may lock it.

use super::decoy::{Granted, Locked};
use super::effect::done;
use crate::raw;
use fixtures::watch::inherited::INHERITED_WRITE;
use harness::escape::{Bar, Escape, Layer};
use harness::scene::Scene;
use nix::fcntl::{FcntlArg, fcntl};
use rustix::fs::{FlockOperation, flock};
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;

const LOCK: Escape = Escape {
    techniques: &["FW-LOCK"],
    references: &[
        "https://man.archlinux.org/man/landlock.7.en.raw",
        "https://man7.org/linux/man-pages/man2/flock.2.html",
        "CWE-412",
    ],
    decoys: &[&Locked],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/lock",
        summary: "Lock a file outside that was opened for reading",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| {
            let file = File::open(scene.path("writable")?)?;
            flock(&file, FlockOperation::NonBlockingLockExclusive)?;
            done(scene.show("lock"))
        }),
        python: Some(include_str!("lock.py")),
        ..LOCK
    },
    Escape {
        id: "fs-write/lock.record",
        summary: "Lock the bytes of a file outside that was opened for writing",
        references: &["https://man7.org/linux/man-pages/man2/F_GETLK.2const.html"],
        witnesses: &["landlock/write-file"],
        native: Some(|scene| {
            let file = OpenOptions::new().write(true).open(scene.path("writable")?)?;
            rustix::fs::fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive)?;
            done(scene.show("lock"))
        }),
        ..LOCK
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/lock.lease",
        summary: "Take a lease on a file outside, so that who opens it must wait",
        techniques: &["FW-LOCK", "FM-DNOTIFY"],
        references: &["https://man7.org/linux/man-pages/man2/F_GETLEASE.2const.html"],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["landlock/read-file", "seccomp/fcntl"],
        native: Some(lease),
        ..LOCK
    },
    Escape {
        id: "fs-write/lock.inherited",
        summary: "Lock an inherited file",
        decoys: &[&Locked, INHERITED_WRITE],
        stops: &[Layer::Hygiene, Layer::Seatbelt],
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            let file = raw::inherited(scene.number("inherited-write")?)?;
            flock(&file, FlockOperation::NonBlockingLockExclusive)?;
            done(scene.show("lock"))
        }),
        python: Some(include_str!("lock.inherited.py")),
        ..LOCK
    },
    Escape {
        id: "fs-write/lock.granted",
        summary: "Lock a byte of a file that is granted for reading, so that nobody may lock it for writing",
        references: &["https://man7.org/linux/man-pages/man2/F_GETLK.2const.html", "CWE-412"],
        // Stated in docs/ladder.md.
        bar: Bar::Residue,
        decoys: &[&Granted],
        stops: &[Layer::Seatbelt],
        native: Some(granted),
        ..LOCK
    },
];

fn granted(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut file = File::open(scene.path("granted")?)?;
    // The lock begins where the file is.
    file.seek(SeekFrom::Start(scene.number("byte")?))?;
    let lock = libc::flock {
        l_type: libc::F_RDLCK as _,
        l_whence: libc::SEEK_CUR as _,
        l_start: 0,
        l_len: 1,
        l_pid: 0,
    };
    fcntl(&file, FcntlArg::F_SETLK(&lock))?;
    done(scene.show("lock"))
}

#[cfg(target_os = "linux")]
fn lease(scene: &Scene) -> io::Result<Vec<u8>> {
    let file = File::open(scene.path("writable")?)?;
    let control = |command: i32, value: i32| {
        let number = file.as_raw_fd() as usize;
        raw::call(libc::SYS_fcntl, [number, command as usize, value as usize, 0, 0, 0])
    };
    control(libc::F_SETLEASE, libc::F_WRLCK)?;
    // Whoever wants the file has the holder told by SIGIO, which would end this program.
    const F_SETSIG: i32 = 10;
    control(F_SETSIG, libc::SIGURG)?;
    done(scene.show("lock"))
}
