//! Start a second process by fork.

use super::marker;
use crate::raw;
use fixtures::watch::process::MARKER;
#[cfg(target_os = "linux")]
use harness::escape::Need;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const FORK: Escape = Escape {
    techniques: &["EX-FORK"],
    references: &["https://man7.org/linux/man-pages/man2/fork.2.html"],
    decoys: &[MARKER],
    stops: &[Layer::Seccomp, Layer::Seatbelt],
    twin: Twin::Thread,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/fork",
        summary: "Start a second process by the fork of the C library",
        references: &[
            "https://man7.org/linux/man-pages/man2/fork.2.html",
            "https://github.com/DMOJ/judge-server/issues/318",
        ],
        // glibc, musl and Python fork by clone(2).
        witnesses: &["seccomp/clone", "hook/import._ctypes", "hook/os.*"],
        stops: &[Layer::Seccomp, Layer::Seatbelt, Layer::Hook],
        native: Some(|scene| marker::second(scene, raw::fork)),
        python: Some(concat!(include_str!("marker.py"), include_str!("fork.py"))),
        ..FORK
    },
    Escape {
        id: "exec/fork.terminal",
        summary: "Start a second process on a terminal of its own by forkpty",
        references: &["https://man7.org/linux/man-pages/man3/openpty.3.html"],
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::MountNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &[
            "landlock/ioctl-dev",
            "landlock/read-file",
            "landlock/write-file",
            "seccomp/clone",
            "seccomp/ioctl",
            "seccomp/setsid",
            "hook/import._ctypes",
            "hook/os.*",
        ],
        silent: Some("the C library tells a refused terminal as an invalid argument"),
        python: Some(concat!(include_str!("marker.py"), include_str!("fork.terminal.py"))),
        ..FORK
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "exec/fork.system-call",
        summary: "Start a second process by the fork system call, which the C library does not use",
        needs: &[Need::Architecture("x86_64")],
        witnesses: &["seccomp/fork"],
        #[cfg(target_arch = "x86_64")]
        native: Some(|scene| {
            marker::second(scene, || Ok(raw::call(libc::SYS_fork, [0; 6])? as i32))
        }),
        ..FORK
    },
];
