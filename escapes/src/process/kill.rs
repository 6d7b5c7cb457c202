//! Signal a process outside, by every call that can.

#[cfg(target_os = "linux")]
use super::victim;
#[cfg(target_os = "linux")]
use crate::raw;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
#[cfg(target_os = "linux")]
use std::fs::File;
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;

const KILL: Escape = Escape {
    techniques: &["KP-KILL"],
    references: &[
        "https://github.com/landlock-lsm/linux/issues/8",
        "https://github.com/Certora/AutoProver/pull/73",
    ],
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace],
    twin: Twin::OwnSignal,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "process/kill",
        summary: "Send a signal to a process outside",
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::OtherNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &["landlock/scope-signal", "seccomp/kill", "hook/os.kill"],
        native: Some(|scene| by_kill(scene, Signal::SIGUSR1)),
        python: Some(include_str!("kill.py")),
        ..KILL
    },
    Escape {
        id: "process/kill.fatal",
        summary: "Kill a process outside",
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt],
        witnesses: &["landlock/scope-signal", "seccomp/kill"],
        native: Some(|scene| by_kill(scene, Signal::SIGKILL)),
        ..KILL
    },
    Escape {
        id: "process/kill.stop",
        summary: "Stop a process outside, which no handler can prevent",
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt],
        witnesses: &["landlock/scope-signal", "seccomp/kill"],
        native: Some(|scene| by_kill(scene, Signal::SIGSTOP)),
        ..KILL
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/kill.tgkill",
        summary: "Send a signal to a thread of a process outside by tgkill",
        references: &["https://man7.org/linux/man-pages/man2/tgkill.2.html"],
        witnesses: &["landlock/scope-signal", "seccomp/tgkill"],
        native: Some(|scene| {
            let victim = victim::number(scene)?;
            send(libc::SYS_tgkill, [victim, victim, SIGNAL, 0, 0, 0])
        }),
        ..KILL
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/kill.tkill",
        summary: "Send a signal to a thread outside by tkill, which is told no process",
        references: &["https://man7.org/linux/man-pages/man2/tkill.2.html"],
        witnesses: &["landlock/scope-signal", "seccomp/tkill"],
        native: Some(|scene| send(libc::SYS_tkill, [victim::number(scene)?, SIGNAL, 0, 0, 0, 0])),
        ..KILL
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/kill.queue",
        summary: "Queue a signal with a made-up sender to a process outside",
        references: &["https://man7.org/linux/man-pages/man2/rt_sigqueueinfo.2.html"],
        witnesses: &["landlock/scope-signal", "seccomp/rt_sigqueueinfo"],
        native: Some(|scene| {
            let information = INFORMATION.as_ptr() as usize;
            let victim = victim::number(scene)?;
            send(libc::SYS_rt_sigqueueinfo, [victim, SIGNAL, information, 0, 0, 0])
        }),
        ..KILL
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/kill.thread-queue",
        summary: "Queue a signal with a made-up sender to a thread of a process outside",
        references: &["https://man7.org/linux/man-pages/man2/rt_sigqueueinfo.2.html"],
        witnesses: &["landlock/scope-signal", "seccomp/rt_tgsigqueueinfo"],
        native: Some(|scene| {
            let information = INFORMATION.as_ptr() as usize;
            let victim = victim::number(scene)?;
            send(libc::SYS_rt_tgsigqueueinfo, [victim, victim, SIGNAL, information, 0, 0])
        }),
        ..KILL
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/kill.pidfd",
        summary: "Send a signal to a process outside by a descriptor of it, which raises no audit event",
        references: &["https://man7.org/linux/man-pages/man2/pidfd_send_signal.2.html"],
        witnesses: &["landlock/scope-signal", "seccomp/pidfd_open", "seccomp/pidfd_send_signal"],
        native: Some(|scene| by_descriptor(victim::descriptor(scene)?)),
        python: Some(include_str!("kill.pidfd.py")),
        ..KILL
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/kill.proc-directory",
        summary: "Send a signal to a process outside by its folder in /proc, opened in place of a pidfd",
        references: &["https://man7.org/linux/man-pages/man2/pidfd_send_signal.2.html"],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace, Layer::OtherNamespace],
        witnesses: &["landlock/read-dir", "landlock/scope-signal", "seccomp/pidfd_send_signal"],
        native: Some(|scene| {
            by_descriptor(File::open(format!("/proc/{}", victim::number(scene)?))?)
        }),
        ..KILL
    },
];

/// A signal that nobody but the act sends.
#[cfg(target_os = "linux")]
const SIGNAL: usize = libc::SIGUSR1 as usize;

/// `siginfo_t`: the signal, no error, `SI_QUEUE`, and a sender who does not exist.
#[cfg(target_os = "linux")]
static INFORMATION: [i32; 32] = {
    let mut words = [0; 32];
    words[0] = libc::SIGUSR1;
    words[2] = libc::SI_QUEUE;
    words
};

fn by_kill(scene: &Scene, signal: Signal) -> io::Result<Vec<u8>> {
    kill(Pid::from_raw(scene.number("victim")?), signal)?;
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
fn by_descriptor(descriptor: impl AsRawFd) -> io::Result<Vec<u8>> {
    send(libc::SYS_pidfd_send_signal, [descriptor.as_raw_fd() as usize, SIGNAL, 0, 0, 0, 0])
}

#[cfg(target_os = "linux")]
fn send(number: i64, arguments: [usize; 6]) -> io::Result<Vec<u8>> {
    raw::call(number, arguments).map(|_sent| Vec::new())
}
