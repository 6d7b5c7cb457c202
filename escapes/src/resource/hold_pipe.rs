//! Keep the output open after the end: a host that reads to the end of the output waits for a process
//! that it does not know.

use super::stay::{self, LIMIT};
use crate::raw;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/hold-pipe",
    summary: "Leave a process that holds the output open when the program has ended",
    techniques: &["RA-PIPEHOLD"],
    references: &[
        "https://github.com/python/cpython/issues/76116",
        "https://github.com/python/cpython/issues/82388",
        "https://github.com/multikernel/sandlock/issues/238",
    ],
    stops: &[Layer::Seccomp, Layer::Limits],
    witnesses: &["seccomp/clone"],
    twin: Twin::Thread,
    native: Some(hold),
    ..LIMIT
}];

fn hold(scene: &Scene) -> io::Result<Vec<u8>> {
    if raw::fork()? == 0 {
        // Nobody gives a sign: it stays until it is killed, or to the end of its patience.
        raw::leave(i32::from(stay::idle(scene).is_err()));
    }
    raw::leave(0)
}
