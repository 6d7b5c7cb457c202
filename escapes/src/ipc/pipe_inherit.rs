//! Use a pipe that the launcher left open: a log, a status line, the input of somebody else.

use crate::raw;
use fixtures::watch::inherited::{INHERITED_PIPE_READ, INHERITED_PIPE_WRITE};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const PIPE: Escape = Escape {
    techniques: &["IP-PIPEINHERIT"],
    references: &["CWE-403", "https://github.com/fwdai/fletch/pull/513"],
    stops: &[Layer::Hygiene],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/pipe-inherit",
        summary: "Read from a pipe that the launcher left open",
        decoys: &[INHERITED_PIPE_READ],
        witnesses: &["hygiene/close-descriptors"],
        native: Some(read),
        python: Some(include_str!("pipe_inherit.py")),
        ..PIPE
    },
    Escape {
        id: "ipc/pipe-inherit.write",
        summary: "Write into a pipe that the launcher left open",
        decoys: &[INHERITED_PIPE_WRITE],
        witnesses: &["hygiene/close-descriptors"],
        native: Some(write),
        python: Some(include_str!("pipe_inherit.write.py")),
        ..PIPE
    },
];

fn read(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 64];
    let length = rustix::io::read(raw::borrow(scene.number("inherited-pipe-read")?), &mut bytes)?;
    bytes.truncate(length);
    Ok(bytes)
}

fn write(scene: &Scene) -> io::Result<Vec<u8>> {
    let pipe = raw::borrow(scene.number("inherited-pipe-write")?);
    rustix::io::write(pipe, scene.nonce().as_bytes())?;
    Ok(Vec::new())
}
