//! Use what the launcher left open: the macOS form of `fs-read/inherited`.

use crate::raw_macos::borrow;
use fixtures::watch::inherited::{INHERITED_PIPE_READ, INHERITED_SECRET};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::io;

const INHERITED: Escape = Escape {
    references: &["CWE-403", "https://keith.github.io/xcode-man-pages/sandbox.7.html"],
    stops: &[Layer::Hygiene],
    witnesses: &["hygiene/descriptors"],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/inherited",
        summary: "Read a secret from a file that the launcher left open",
        techniques: &["FR-FDINHERIT"],
        decoys: &[INHERITED_SECRET],
        native: Some(|scene| read(scene, "inherited-secret")),
        ..INHERITED
    },
    Escape {
        id: "macos/inherited.pipe",
        summary: "Read a secret from a pipe that the launcher left open",
        techniques: &["IP-PIPEINHERIT"],
        decoys: &[INHERITED_PIPE_READ],
        native: Some(|scene| read(scene, "inherited-pipe-read")),
        ..INHERITED
    },
];

fn read(scene: &Scene, clue: &str) -> io::Result<Vec<u8>> {
    let mut loot = vec![0; 256];
    let length = nix::unistd::read(borrow(scene.number(clue)?), &mut loot)?;
    loot.truncate(length);
    Ok(loot)
}
