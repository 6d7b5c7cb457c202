//! Install a filter of the own system calls: it can answer in the kernel's place, to this program and to
//! all that it becomes.

use super::hold::hold;
use super::state::changed;
use crate::raw;
use fixtures::watch::held::HELD_DESCRIPTOR;
use fixtures::watch::state::FILTERS;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::prctl::{get_no_new_privs, set_no_new_privs};
use std::io;
use std::thread;
use std::time::{Duration, Instant};

/// How long somebody else may still have a listener.
const PATIENCE: Duration = Duration::from_secs(1);

const FILTER: Escape = Escape {
    techniques: &["KP-RESTACK"],
    references: &["https://man7.org/linux/man-pages/man2/seccomp.2.html"],
    decoys: &[FILTERS],
    stops: &[Layer::Seccomp],
    // A kernel without `CONFIG_SECCOMP_FILTER`.
    absent: &[libc::ENOSYS, libc::EINVAL],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/filter",
        summary: "Install one more filter upon itself",
        witnesses: &["seccomp/seccomp"],
        native: Some(|scene| {
            installed(scene, |program| {
                raw::call(libc::SYS_seccomp, [SET_FILTER, 0, program, 0, 0, 0])
            })
        }),
        ..FILTER
    },
    Escape {
        id: "kernel/filter.prctl",
        summary: "Install one more filter upon itself by the older call",
        references: &["https://man7.org/linux/man-pages/man2/PR_SET_SECCOMP.2const.html"],
        witnesses: &["seccomp/prctl"],
        native: Some(|scene| {
            installed(scene, |program| {
                /// `SECCOMP_MODE_FILTER`, `linux/seccomp.h`.
                const FILTERED: usize = 2;
                let option = libc::PR_SET_SECCOMP as usize;
                raw::call(libc::SYS_prctl, [option, FILTERED, program, 0, 0, 0])
            })
        }),
        ..FILTER
    },
    Escape {
        id: "kernel/filter.listener",
        summary: "Hold the listener of an own filter, who may answer calls in the kernel's place",
        techniques: &["KP-USERNOTIF"],
        references: &["https://man7.org/linux/man-pages/man2/seccomp_unotify.2.html"],
        decoys: &[HELD_DESCRIPTOR],
        witnesses: &["seccomp/seccomp"],
        // A process can have one listener, and a container's runtime may be it.
        absent: &[libc::ENOSYS, libc::EINVAL, libc::EBUSY],
        native: Some(|scene| {
            /// `SECCOMP_FILTER_FLAG_NEW_LISTENER`.
            const LISTENER: usize = 8;
            permitting(|program| {
                let arguments = [SET_FILTER, LISTENER, program, 0, 0, 0];
                let begin = Instant::now();
                loop {
                    let held = hold(scene, libc::SYS_seccomp, arguments, "seccomp notify");
                    let busy = held.as_ref().err().and_then(io::Error::raw_os_error);
                    // A launcher may need a moment until it closes its own.
                    if busy != Some(libc::EBUSY) || begin.elapsed() > PATIENCE {
                        return held;
                    }
                    thread::sleep(Duration::from_millis(2));
                }
            })
        }),
        ..FILTER
    },
];

/// `SECCOMP_SET_MODE_FILTER`, `linux/seccomp.h`.
const SET_FILTER: usize = 1;

/// A filter stays until the program ends. This one permits everything.
fn installed(scene: &Scene, install: impl FnOnce(usize) -> io::Result<i64>) -> io::Result<Vec<u8>> {
    promise()?;
    changed(scene, || permitting(install).map(|_installed| ()), || Ok(()))
}

/// Hands a filter that permits everything to `install`.
fn permitting<T>(install: impl FnOnce(usize) -> io::Result<T>) -> io::Result<T> {
    promise()?;
    let mut code = [libc::sock_filter { code: 6, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW }];
    let program = libc::sock_fprog { len: 1, filter: code.as_mut_ptr() };
    install(&raw const program as usize)
}

/// The kernel wants the promise to gain no privileges, which a sandbox has made already.
fn promise() -> io::Result<()> {
    if !get_no_new_privs()? {
        set_no_new_privs()?;
    }
    Ok(())
}
