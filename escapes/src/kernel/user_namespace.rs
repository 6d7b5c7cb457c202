//! Make a user namespace: in it the program has every capability, and reaches the parts of the kernel
//! that are meant for root. Most local exploits of the kernel begin so.

use super::state::changed;
use crate::raw;
use fixtures::watch::state::NAMESPACE;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sched::{CloneFlags, unshare};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::io::{self, Read};

const USER: Escape = Escape {
    techniques: &["KP-USERNS"],
    references: &[
        "https://man7.org/linux/man-pages/man7/user_namespaces.7.html",
        "https://github.com/flatpak/flatpak/pull/4456",
    ],
    decoys: &[NAMESPACE],
    stops: &[Layer::Seccomp],
    // An unconfined program is refused only where the host refuses everybody or has none left.
    absent: &[libc::ENOSYS, libc::EPERM, libc::EINVAL, libc::ENOSPC],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/user-namespace",
        summary: "Become root of an own user namespace",
        witnesses: &["seccomp/unshare", "hook/import._ctypes"],
        stops: &[Layer::Seccomp, Layer::Hook],
        native: Some(|scene| enter(scene, CloneFlags::CLONE_NEWUSER)),
        python: Some(include_str!("user_namespace.py")),
        ..USER
    },
    Escape {
        id: "kernel/user-namespace.network",
        summary: "Become root of an own network, with all its protocols and filters",
        witnesses: &["seccomp/unshare"],
        native: Some(|scene| enter(scene, CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET)),
        ..USER
    },
    Escape {
        id: "kernel/user-namespace.mount",
        summary: "Become root of an own tree of mounts",
        witnesses: &["seccomp/unshare"],
        native: Some(|scene| enter(scene, CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS)),
        ..USER
    },
    Escape {
        id: "kernel/user-namespace.clone",
        summary: "Start a process as root of an own user namespace",
        references: &["https://man7.org/linux/man-pages/man2/clone.2.html"],
        witnesses: &["seccomp/clone"],
        native: Some(|scene| {
            let flags = (libc::CLONE_NEWUSER | libc::SIGCHLD) as usize;
            child(scene, || raw::call(libc::SYS_clone, [flags, 0, 0, 0, 0, 0]))
        }),
        ..USER
    },
    Escape {
        id: "kernel/user-namespace.clone3",
        summary: "Start a process as root of an own user namespace by flags that no filter can read",
        references: &["https://man7.org/linux/man-pages/man2/clone.2.html"],
        witnesses: &["seccomp/clone3"],
        native: Some(|scene| {
            // `struct clone_args`, version 0: the flags first, the signal of its end fifth.
            let (user, end) = (libc::CLONE_NEWUSER as u64, libc::SIGCHLD as u64);
            let arguments: [u64; 8] = [user, 0, 0, 0, end, 0, 0, 0];
            let (place, length) = (arguments.as_ptr() as usize, size_of_val(&arguments));
            child(scene, || raw::call(libc::SYS_clone3, [place, length, 0, 0, 0, 0]))
        }),
        ..USER
    },
];

/// There is no way back out of it.
fn enter(scene: &Scene, namespaces: CloneFlags) -> io::Result<Vec<u8>> {
    changed(scene, || Ok(unshare(namespaces)?), || Ok(()))
}

/// Starts a process by `fork`, which returns twice. It lives until it has been looked at.
fn child(scene: &Scene, fork: impl FnOnce() -> io::Result<i64>) -> io::Result<Vec<u8>> {
    let (mut until, end) = io::pipe()?;
    let mut end = Some(end);
    let mut process = 0;
    let shown = changed(
        scene,
        || {
            process = fork()? as i32;
            if process == 0 {
                end = None;
                raw::leave(i32::from(until.read(&mut [0]).is_err()));
            }
            Ok(())
        },
        || Ok(()),
    );
    if process != 0 {
        drop(end);
        waitpid(Pid::from_raw(process), None)?;
    }
    shown
}
