//! Write one file beyond the limit of a file.

use super::stay::{self, LIMIT};
use backends::policy::Bound;
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Limit};
use harness::scene::Scene;
use std::fs;
use std::io;

const ALLOWED: u64 = 1 << 20;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/large-file",
    summary: "Write a file of 2 MiB where 1 MiB is allowed",
    techniques: &["RA-DISKFILL"],
    references: &["https://man7.org/linux/man-pages/man2/setrlimit.2.html"],
    limit: Some(Limit {
        narrow: |limits| limits.file_size_bytes = Bound::At(ALLOWED),
        errnos: &[libc::EFBIG],
        signals: &[libc::SIGXFSZ],
        ..Limit::BLANK
    }),
    decoys: &[&Usage { what: What::DiskBytes, above: ALLOWED + (1 << 19), milliseconds: 0 }],
    witnesses: &["limits/file-size"],
    native: Some(write),
    python: Some(concat!(include_str!("stay.py"), include_str!("large_file.py"))),
    ..LIMIT
}];

fn write(scene: &Scene) -> io::Result<Vec<u8>> {
    let file = scene.run().join("large");
    fs::write(&file, vec![1; 2 << 20])?;
    let ended = stay::idle(scene);
    fs::remove_file(file)?;
    ended
}
