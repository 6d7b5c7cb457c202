//! Open more files than allowed.

use super::stay::{self, LIMIT};
use backends::policy::Bound;
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Limit};
use harness::scene::Scene;
use std::fs::File;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/descriptors",
    summary: "Hold 128 open files where 64 are allowed",
    techniques: &["RA-FDEXHAUST"],
    references: &["https://man7.org/linux/man-pages/man2/setrlimit.2.html"],
    limit: Some(Limit {
        narrow: |limits| limits.open_files = Bound::At(64),
        errnos: &[libc::EMFILE],
        ..Limit::BLANK
    }),
    decoys: &[&Usage { what: What::Descriptors, above: 100, milliseconds: 0 }],
    witnesses: &["limits/open-files"],
    native: Some(hold),
    python: Some(concat!(include_str!("stay.py"), include_str!("descriptors.py"))),
    ..LIMIT
}];

fn hold(scene: &Scene) -> io::Result<Vec<u8>> {
    let own = scene.run().join("neighbour");
    let held = (0..128).map(|_| File::open(&own)).collect::<io::Result<Vec<File>>>()?;
    let ended = stay::idle(scene);
    drop(held);
    ended
}
