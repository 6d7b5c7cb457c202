//! Signal a whole process group outside: the victim's own, in which nobody else is.

#[cfg(target_os = "linux")]
use super::victim;
#[cfg(target_os = "linux")]
use crate::raw;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;

const KILL: Escape = Escape {
    techniques: &["KP-KILLGROUP"],
    references: &["https://github.com/landlock-lsm/linux/issues/8"],
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace],
    twin: Twin::OwnSignal,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "process/kill-group",
        summary: "Send a signal to a process group outside",
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::OtherNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &["landlock/scope-signal", "seccomp/kill", "hook/os.*"],
        native: Some(|scene| {
            killpg(Pid::from_raw(scene.number("victim")?), Signal::SIGUSR1)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("kill_group.py")),
        ..KILL
    },
    Escape {
        id: "process/kill-group.negative",
        summary: "Send a signal to a process group outside by the negative number of its leader",
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::OtherNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &["landlock/scope-signal", "seccomp/kill", "hook/os.kill"],
        native: Some(|scene| {
            kill(Pid::from_raw(-scene.number::<i32>("victim")?), Signal::SIGUSR1)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("kill_group.negative.py")),
        ..KILL
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/kill-group.pidfd",
        summary: "Send a signal to the group of a process outside by a descriptor of the process",
        references: &["https://man7.org/linux/man-pages/man2/pidfd_send_signal.2.html"],
        witnesses: &["landlock/scope-signal", "seccomp/pidfd_open", "seccomp/pidfd_send_signal"],
        // Kernels before 6.9 know no flags of this call.
        absent: &[libc::ENOSYS, libc::EINVAL],
        native: Some(|scene| {
            const PROCESS_GROUP: usize = 1 << 2;
            let descriptor = victim::descriptor(scene)?;
            let victim = descriptor.as_raw_fd() as usize;
            let signal = libc::SIGUSR1 as usize;
            raw::call(libc::SYS_pidfd_send_signal, [victim, signal, 0, PROCESS_GROUP, 0, 0])?;
            Ok(Vec::new())
        }),
        ..KILL
    },
];
