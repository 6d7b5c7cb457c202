//! Make a process outside slow: lower its priority, which takes nothing but the same user.

use super::victim;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use rustix::process::{setpriority_pgrp, setpriority_process};

const PRIORITY: Escape = Escape {
    techniques: &["KP-SETPRIORITY"],
    references: &["https://man7.org/linux/man-pages/man2/setpriority.2.html"],
    decoys: &[VICTIM],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "process/priority",
        summary: "Lower the priority of a process outside, which raises no audit event",
        witnesses: &["hygiene/capabilities", "seccomp/setpriority"],
        native: Some(|scene| {
            setpriority_process(Some(victim::id(scene)?), LOWEST)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("priority.py")),
        ..PRIORITY
    },
    Escape {
        id: "process/priority.group",
        summary: "Lower the priority of a process group outside",
        witnesses: &["hygiene/capabilities", "seccomp/setpriority"],
        native: Some(|scene| {
            setpriority_pgrp(Some(victim::id(scene)?), LOWEST)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("priority.group.py")),
        ..PRIORITY
    },
];

const LOWEST: i32 = 19;
