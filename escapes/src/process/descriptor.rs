//! Take a copy of a descriptor that a process outside has open: what it may read, the program reads.

use super::victim;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use rustix::process::{PidfdGetfdFlags, pidfd_getfd};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "process/descriptor",
    summary: "Copy the descriptor of a secret out of a process outside and read from it",
    techniques: &["KP-PTRACE"],
    references: &["https://man7.org/linux/man-pages/man2/pidfd_getfd.2.html"],
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace, Layer::OtherNamespace],
    witnesses: &[
        "hygiene/capabilities",
        "layer/landlock",
        "seccomp/pidfd_getfd",
        "seccomp/pidfd_open",
    ],
    // As for tracing: an unconfined program is refused only where the host refuses everybody.
    absent: &[libc::ENOSYS, libc::EPERM],
    twin: Twin::OwnFile,
    native: Some(|scene| {
        let number = scene.number("victim-fd")?;
        let copy = pidfd_getfd(victim::descriptor(scene)?, number, PidfdGetfdFlags::empty())?;
        // The position is the victim's too, so it is left alone.
        let mut loot = [0; 64];
        let length = rustix::io::pread(&copy, &mut loot, 0)?;
        Ok(loot.into_iter().take(length).collect())
    }),
    ..Escape::BLANK
}];
