//! Start a second process by clone without `CLONE_THREAD`, which a filter that knows only threads
//! and forks may let pass.

use super::marker;
use crate::raw;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const CLONE: Escape = Escape {
    techniques: &["EX-FORK"],
    references: &["https://man7.org/linux/man-pages/man2/clone.2.html"],
    decoys: &[MARKER],
    stops: &[Layer::Seccomp, Layer::Seatbelt],
    twin: Twin::Thread,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/clone",
        summary: "Start a second process by the clone system call with no flag at all",
        witnesses: &["seccomp/clone"],
        native: Some(|scene| copy(scene, libc::SIGCHLD)),
        ..CLONE
    },
    Escape {
        id: "exec/clone.detached",
        summary: "Start a second process that announces its end to nobody",
        witnesses: &["seccomp/clone"],
        native: Some(|scene| copy(scene, 0)),
        ..CLONE
    },
    Escape {
        id: "exec/clone.thread-like",
        summary: "Start a process with every flag of a thread but the one that makes it a thread",
        witnesses: &["seccomp/clone"],
        native: Some(|scene| {
            let flags = libc::CLONE_VM
                | libc::CLONE_FS
                | libc::CLONE_FILES
                | libc::CLONE_SIGHAND
                | libc::CLONE_SYSVSEM
                | libc::CLONE_VFORK
                | libc::SIGCHLD;
            marker::reap(raw::clone_shared(flags, &mut || marker::code(marker::live(scene)))?)
        }),
        ..CLONE
    },
    Escape {
        id: "exec/clone.high-bits",
        summary: "Start a process with flags above the 32 bits that the kernel looks at",
        witnesses: &["seccomp/clone"],
        native: Some(|scene| copy(scene, (1 << 40) | i64::from(libc::SIGCHLD))),
        ..CLONE
    },
    Escape {
        id: "exec/clone.sibling",
        summary: "Start a process that is the launcher's child and not the program's",
        witnesses: &["seccomp/clone"],
        native: Some(sibling),
        ..CLONE
    },
];

/// The new process is not this one's to wait for: the launcher does, or inherits its end.
fn sibling(scene: &Scene) -> io::Result<Vec<u8>> {
    let flags = (libc::CLONE_PARENT | libc::SIGCHLD) as usize;
    if raw::call(libc::SYS_clone, [flags, 0, 0, 0, 0, 0])? == 0 {
        raw::leave(marker::code(marker::live(scene)));
    }
    marker::stay(scene);
    Ok(Vec::new())
}

/// The plain form of the call copies this process, as fork does.
fn copy(scene: &Scene, flags: impl Into<i64>) -> io::Result<Vec<u8>> {
    let flags = flags.into() as usize;
    marker::second(scene, || Ok(raw::call(libc::SYS_clone, [flags, 0, 0, 0, 0, 0])? as i32))
}
