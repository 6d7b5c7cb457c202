//! Stop oneself: a host that waits for the exit waits for ever, unless its deadline kills by a signal
//! that a stopped process gets too. Without a sandbox the watcher lets the program go on in the end.

use super::sleep::{ALIVE, DEADLINE};
use super::stay::{self, LIMIT};
use harness::escape::Escape;
use harness::twin::Twin;
use nix::sys::signal::{Signal, raise};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/stop-self",
    summary: "Stop oneself by SIGSTOP, so that the end never comes by itself",
    techniques: &["RA-SELFSTOP"],
    references: &[
        "https://man7.org/linux/man-pages/man7/signal.7.html",
        "https://man7.org/linux/man-pages/man2/waitpid.2.html",
    ],
    limit: Some(DEADLINE),
    decoys: &[ALIVE],
    witnesses: &["limits/wall-clock"],
    twin: Twin::OwnSignal,
    native: Some(|scene| {
        raise(Signal::SIGSTOP)?;
        stay::idle(scene)
    }),
    python: Some(concat!(include_str!("stay.py"), include_str!("stop_self.py"))),
    ..LIMIT
}];
