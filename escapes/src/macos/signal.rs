//! Signal another process of the same user.

use crate::fs_write::effect::done;
use fixtures::watch::sleeper::SLEEPER;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

const SIGNAL: Escape = Escape {
    techniques: &["MC-SIGNAL", "KP-KILL"],
    references: &["https://github.com/nolabs-ai/nono/issues/207"],
    decoys: &[SLEEPER],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/process-info*"],
    twin: Twin::OwnSignal,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/signal",
        summary: "Kill a process outside",
        native: Some(|scene| done(kill(Pid::from_raw(scene.number("sleeper")?), Signal::SIGKILL))),
        ..SIGNAL
    },
    Escape {
        id: "macos/signal.group",
        summary: "Kill the process group of a process outside",
        native: Some(|scene| {
            done(killpg(Pid::from_raw(scene.number("sleeper")?), Signal::SIGKILL))
        }),
        ..SIGNAL
    },
];
