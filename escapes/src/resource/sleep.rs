//! Live on after the deadline by doing nothing, deaf to every signal that can be blocked.

use super::stay::{self, LIMIT};
use backends::policy::Bound;
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Finish, Limit};
use nix::sys::signal::SigSet;

/// Two seconds of wall-clock time.
pub(super) const DEADLINE: Limit = Limit {
    narrow: |limits| limits.wall_clock_milliseconds = Bound::At(2_000),
    ends: &[Finish::TimedOut],
    ..Limit::BLANK
};

/// Alive two seconds after the deadline.
pub(super) const ALIVE: &Usage = &Usage { what: What::Age, above: 4_000, milliseconds: 0 };

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/sleep",
    summary: "Sleep past the deadline with every signal blocked",
    techniques: &["RA-SLEEP"],
    references: &[
        "https://github.com/multikernel/sandlock/issues/238",
        "https://man7.org/linux/man-pages/man7/signal.7.html",
    ],
    limit: Some(DEADLINE),
    decoys: &[ALIVE],
    witnesses: &["limits/wall-clock"],
    native: Some(|scene| {
        SigSet::all().thread_block()?;
        stay::idle(scene)
    }),
    python: Some(concat!(include_str!("stay.py"), include_str!("sleep.py"))),
    ..LIMIT
}];
