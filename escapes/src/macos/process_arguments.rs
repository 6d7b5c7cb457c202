//! Read the arguments of another process of the same user.

use crate::raw_macos;
use fixtures::watch::sleeper::SLEEPER;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/process-arguments",
    summary: "Read the arguments of a process outside from the kernel's variables",
    techniques: &["MC-SYSCTLPROC"],
    references: &["https://github.com/unslothai/unsloth/pull/10526"],
    decoys: &[SLEEPER],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    twin: Twin::OwnProcess,
    native: Some(|scene| raw_macos::process_arguments(scene.number("sleeper")?)),
    ..Escape::BLANK
}];
