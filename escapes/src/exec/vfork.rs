//! Start a second process that borrows the memory of this one: vfork and what is built on it.

use super::marker;
use crate::raw;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, posix_spawn};
use std::ffi::CString;
use std::io;

const VFORK: Escape = Escape {
    techniques: &["EX-VFORK"],
    references: &["https://man7.org/linux/man-pages/man2/vfork.2.html"],
    decoys: &[MARKER],
    stops: &[Layer::Seccomp, Layer::Seatbelt],
    witnesses: &["seccomp/clone"],
    twin: Twin::Thread,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/vfork",
        summary: "Start a second process in this one's memory, as vfork does",
        native: Some(|scene| {
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
            marker::reap(raw::clone_shared(flags, &mut || marker::code(marker::live(scene)))?)
        }),
        ..VFORK
    },
    Escape {
        id: "exec/vfork.spawn",
        summary: "Start a system program by posix_spawn",
        references: &[
            "https://man7.org/linux/man-pages/man3/posix_spawn.3.html",
            "https://github.com/kiwibrowser/src/blob/HEAD/docs/linux_sandboxing.md",
        ],
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::MountNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &["landlock/execute", "seccomp/clone", "hook/os.posix_spawn"],
        native: Some(spawn),
        python: Some(concat!(include_str!("marker.py"), include_str!("vfork.spawn.py"))),
        ..VFORK
    },
];

fn spawn(scene: &Scene) -> io::Result<Vec<u8>> {
    let process = posix_spawn(
        marker::SHELL,
        &PosixSpawnFileActions::init()?,
        &PosixSpawnAttr::init()?,
        &marker::shell(scene)?,
        &[] as &[CString],
    )?;
    marker::reap(process.as_raw())
}
