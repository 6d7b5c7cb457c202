//! Flood the reader of the output: without end of line, so that one who reads lines holds it all.

use super::stay::{self, LIMIT};
use backends::policy::Bound;
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Finish, Limit};
use harness::scene::Scene;
use std::io::{self, Write};

const FLOOD: Escape = Escape {
    techniques: &["RA-OUTFLOOD"],
    references: &["https://docs.python.org/3/library/subprocess.html#subprocess.Popen.wait"],
    limit: Some(Limit {
        narrow: |limits| limits.output_bytes = Bound::At(1 << 20),
        ends: &[Finish::OutputCapped],
        ..Limit::BLANK
    }),
    // What fits into the pipes is written before the launcher has counted it.
    decoys: &[&Usage { what: What::Written, above: 4 << 20, milliseconds: 0 }],
    ..LIMIT
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "resource/flood-output",
        summary: "Write 8 MiB to the output where 1 MiB is allowed",
        witnesses: &["limits/output"],
        native: Some(|scene| flood(scene, io::stdout().lock(), 1 << 16)),
        python: Some(concat!(include_str!("stay.py"), include_str!("flood_output.py"))),
        ..FLOOD
    },
    Escape {
        id: "resource/flood-output.error",
        summary: "Write 8 MiB to the standard error, a few bytes at a time, where 1 MiB is allowed",
        witnesses: &["limits/output"],
        native: Some(|scene| flood(scene, io::stderr().lock(), 64)),
        ..FLOOD
    },
];

fn flood(scene: &Scene, mut stream: impl Write, size: usize) -> io::Result<Vec<u8>> {
    let part = vec![b'x'; size];
    for _ in 0..(8 << 20) / size {
        stream.write_all(&part)?;
    }
    stream.flush()?;
    stay::idle(scene)
}
