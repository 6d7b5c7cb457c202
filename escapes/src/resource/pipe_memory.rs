//! Take memory of the kernel: pipes that were made larger.

use super::stay::{self, LIMIT};
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use nix::fcntl::{FcntlArg, fcntl};
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/pipe-memory",
    summary: "Make eight pipes sixteen times larger than pipes are, in the kernel's memory",
    techniques: &["RA-MEMFD"],
    references: &["https://man7.org/linux/man-pages/man7/pipe.7.html"],
    decoys: &[&Usage { what: What::Pipes, above: 4 << 20, milliseconds: 0 }],
    stops: &[Layer::Seccomp, Layer::Limits],
    witnesses: &["seccomp/fcntl"],
    native: Some(enlarge),
    ..LIMIT
}];

fn enlarge(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut pipes = Vec::new();
    for _ in 0..8 {
        let (reader, writer) = io::pipe()?;
        fcntl(&writer, FcntlArg::F_SETPIPE_SZ(1 << 20))?;
        pipes.push((reader, writer));
    }
    let ended = stay::idle(scene);
    drop(pipes);
    ended
}
