//! Run before everybody else: a program with a real-time policy can keep a processor for itself.

use super::state::changed;
use crate::raw;
use fixtures::watch::state::SCHEDULING;
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use rustix::process::{getpriority_process, setpriority_process};
use std::io;

const FIRST: Escape = Escape {
    techniques: &["KP-RTSCHED"],
    references: &["https://man7.org/linux/man-pages/man7/sched.7.html"],
    needs: &[Need::Capability(23, "CAP_SYS_NICE")],
    decoys: &[SCHEDULING],
    stops: &[Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/realtime",
        summary: "Run with a real-time policy",
        witnesses: &["hygiene/capabilities", "seccomp/sched_setscheduler"],
        // A control group without a share of real time.
        absent: &[libc::ENOSYS, libc::EPERM],
        native: Some(|scene| {
            changed(scene, || policy(libc::SCHED_FIFO, 1), || policy(libc::SCHED_OTHER, 0))
        }),
        python: Some(include_str!("realtime.py")),
        ..FIRST
    },
    Escape {
        id: "kernel/realtime.deadline",
        summary: "Run with a promise of processor time before all others",
        references: &["https://docs.kernel.org/scheduler/sched-deadline.html"],
        witnesses: &["hygiene/capabilities", "seccomp/sched_setattr"],
        // A processor without bandwidth left, or an affinity that is not the whole machine.
        absent: &[libc::ENOSYS, libc::EBUSY, libc::EPERM],
        native: Some(|scene| changed(scene, deadline, || policy(libc::SCHED_OTHER, 0))),
        ..FIRST
    },
    Escape {
        id: "kernel/realtime.nice",
        summary: "Raise the own priority above everybody else's",
        references: &["https://man7.org/linux/man-pages/man2/setpriority.2.html"],
        // The filter lets a program set its own priority, for it may lower it.
        stops: &[Layer::Hygiene, Layer::MountNamespace],
        witnesses: &["hygiene/capabilities"],
        native: Some(|scene| {
            let before = getpriority_process(None)?;
            changed(
                scene,
                || Ok(setpriority_process(None, -20)?),
                || Ok(setpriority_process(None, before)?),
            )
        }),
        python: Some(include_str!("realtime.nice.py")),
        ..FIRST
    },
];

fn policy(policy: i32, priority: i32) -> io::Result<()> {
    let parameter = &raw const priority as usize;
    raw::call(libc::SYS_sched_setscheduler, [0, policy as usize, parameter, 0, 0, 0])?;
    Ok(())
}

/// A tenth of a millisecond in each hundred.
fn deadline() -> io::Result<()> {
    /// `SCHED_DEADLINE`, `linux/sched.h`.
    const DEADLINE: u32 = 6;
    #[repr(C)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        runtime: u64,
        deadline: u64,
        period: u64,
    }
    let attributes = Attributes {
        size: 48,
        policy: DEADLINE,
        flags: 0,
        nice: 0,
        priority: 0,
        runtime: 100_000,
        deadline: 100_000_000,
        period: 100_000_000,
    };
    let place = &raw const attributes as usize;
    raw::call(libc::SYS_sched_setattr, [0, place, 0, 0, 0, 0])?;
    Ok(())
}
