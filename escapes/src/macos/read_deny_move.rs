//! Bring a secret into the run directory under a profile that denies reading alone.

use crate::raw_macos;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::fs;
use std::io;

const MOVE: Escape = Escape {
    techniques: &["MC-READDENYMOVE"],
    references: &[
        "https://github.com/anthropic-experimental/sandbox-runtime/issues/8",
        "https://github.com/nubjs/nub/pull/449",
    ],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/read-deny-move",
        summary: "Rename a secret into the run directory, read it there, and put it back",
        native: Some(rename),
        ..MOVE
    },
    Escape {
        id: "macos/read-deny-move.clone",
        summary: "Clone a secret into the run directory and read it there",
        native: Some(|scene| {
            let copy = scene.run().join("cloned");
            raw_macos::clone_file(&scene.path("secret")?, &copy)?;
            fs::read(copy)
        }),
        ..MOVE
    },
];

fn rename(scene: &Scene) -> io::Result<Vec<u8>> {
    let (secret, taken) = (scene.path("secret")?, scene.run().join("taken"));
    fs::rename(&secret, &taken)?;
    let loot = fs::read(&taken);
    fs::rename(&taken, &secret)?;
    loot
}
