//! Choose how and where a process outside is scheduled.

use super::victim;
use crate::raw;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;

const SCHEDULE: Escape = Escape {
    techniques: &["KP-SETPRIORITY"],
    references: &["https://man7.org/linux/man-pages/man7/sched.7.html"],
    decoys: &[VICTIM],
    stops: &[Layer::Seccomp, Layer::OtherNamespace],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "process/scheduler",
        summary: "Let a process outside run only when nobody else wants to",
        witnesses: &["hygiene/capabilities", "seccomp/sched_setscheduler"],
        native: Some(|scene| policy(scene, libc::SCHED_IDLE)),
        python: Some(include_str!("scheduler.py")),
        ..SCHEDULE
    },
    Escape {
        id: "process/scheduler.batch",
        summary: "Make a process outside give way as batch work",
        witnesses: &["hygiene/capabilities", "seccomp/sched_setscheduler"],
        native: Some(|scene| policy(scene, libc::SCHED_BATCH)),
        ..SCHEDULE
    },
    Escape {
        id: "process/scheduler.attributes",
        summary: "Change policy and niceness of a process outside by the newest call",
        references: &["https://man7.org/linux/man-pages/man2/sched_setattr.2.html"],
        witnesses: &["hygiene/capabilities", "seccomp/sched_setattr"],
        native: Some(|scene| {
            // `struct sched_attr`: size, policy, two words of flags, niceness, and zeros.
            let attributes: [u32; 12] =
                [48, libc::SCHED_BATCH as u32, 0, 0, 19, 0, 0, 0, 0, 0, 0, 0];
            let attributes = attributes.as_ptr() as usize;
            let victim = victim::number(scene)?;
            raw::call(libc::SYS_sched_setattr, [victim, attributes, 0, 0, 0, 0])?;
            Ok(Vec::new())
        }),
        ..SCHEDULE
    },
    Escape {
        id: "process/scheduler.affinity",
        summary: "Crowd a process outside onto one processor, which raises no audit event",
        references: &["https://man7.org/linux/man-pages/man2/sched_setaffinity.2.html"],
        witnesses: &["hygiene/capabilities", "seccomp/sched_setaffinity"],
        native: Some(|scene| {
            let mut one = CpuSet::new();
            let all = sched_getaffinity(None)?;
            (0..CpuSet::MAX_CPU)
                .filter(|cpu| all.is_set(*cpu))
                .take(1)
                .for_each(|cpu| one.set(cpu));
            sched_setaffinity(Some(victim::id(scene)?), &one)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("scheduler.affinity.py")),
        ..SCHEDULE
    },
];

fn policy(scene: &Scene, policy: i32) -> io::Result<Vec<u8>> {
    // `struct sched_param`: a real-time priority, of which these policies have none.
    let parameter = 0_i32;
    let parameter = &raw const parameter as usize;
    let victim = victim::number(scene)?;
    raw::call(libc::SYS_sched_setscheduler, [victim, policy as usize, parameter, 0, 0, 0])?;
    Ok(Vec::new())
}
