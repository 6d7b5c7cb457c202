//! Many processes. Sixteen show it; they end as soon as they were seen.

use super::stay::{self, LIMIT};
use crate::raw;
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/fork-bomb",
    summary: "Start sixteen processes that stay",
    techniques: &["RA-FORKBOMB"],
    references: &[
        "https://github.com/NVIDIA/OpenShell/pull/1497",
        "https://man7.org/linux/man-pages/man2/fork.2.html",
    ],
    decoys: &[&Usage { what: What::Processes, above: 8, milliseconds: 0 }],
    stops: &[Layer::Seccomp, Layer::Limits, Layer::Seatbelt, Layer::Hook],
    witnesses: &["seccomp/clone", "hook/os.*"],
    twin: Twin::Thread,
    native: Some(bomb),
    python: Some(concat!(include_str!("stay.py"), include_str!("fork_bomb.py"))),
    ..LIMIT
}];

fn bomb(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut children = Vec::new();
    for _ in 0..16 {
        match raw::fork()? {
            0 => raw::leave(i32::from(stay::idle(scene).is_err())),
            child => children.push(Pid::from_raw(child)),
        }
    }
    let ended = stay::idle(scene);
    for child in children {
        waitpid(child, None)?;
    }
    ended
}
