//! Change the limits of a process outside: a limit of processor time kills it, and one of open files
//! cripples it, and neither is a signal.

use super::victim;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::process::{Resource, Rlimit, prlimit};
use std::io;

const LIMITS: Escape = Escape {
    techniques: &["KP-PRLIMITKILL"],
    references: &[
        "https://man7.org/linux/man-pages/man2/prlimit.2.html",
        "https://github.com/DMOJ/judge-server/pull/1176",
    ],
    decoys: &[VICTIM],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Hook],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "process/limits",
        summary: "Take away the right of a process outside to open any more files",
        witnesses: &["seccomp/prlimit64", "hook/resource.*"],
        native: Some(|scene| lower(scene, Resource::Nofile)),
        python: Some(include_str!("limits.py")),
        ..LIMITS
    },
    Escape {
        id: "process/limits.time",
        summary: "Give a process outside a second of processor time, after which the kernel kills it",
        witnesses: &["seccomp/prlimit64", "hook/resource.*"],
        native: Some(|scene| lower(scene, Resource::Cpu)),
        python: Some(include_str!("limits.time.py")),
        ..LIMITS
    },
    Escape {
        id: "process/limits.resident",
        summary: "Lower the limit of resident memory of a process outside",
        witnesses: &["seccomp/prlimit64"],
        native: Some(|scene| lower(scene, Resource::Rss)),
        ..LIMITS
    },
    Escape {
        id: "process/limits.locked",
        summary: "Take away the right of a process outside to lock memory",
        witnesses: &["seccomp/prlimit64"],
        native: Some(|scene| lower(scene, Resource::Memlock)),
        ..LIMITS
    },
];

fn lower(scene: &Scene, resource: Resource) -> io::Result<Vec<u8>> {
    let limit = Rlimit { current: Some(1), maximum: Some(1) };
    prlimit(Some(victim::id(scene)?), resource, limit)?;
    Ok(Vec::new())
}
