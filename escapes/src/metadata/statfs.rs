//! Asking for the file system of a path: which one it is and how full, and that the path exists.

use super::decoy::{Spelled, exists, spell_bits};
use harness::escape::{Bar, Escape, Layer};
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "metadata/statfs",
    summary: "Learn by statfs which paths outside exist",
    techniques: &["FM-STATFS"],
    references: &[
        "https://github.com/landlock-lsm/linux/issues/18",
        "https://man7.org/linux/man-pages/man2/statfs.2.html",
    ],
    bar: Bar::Residue,
    decoys: &[&Spelled::Existence],
    stops: &[Layer::MountNamespace, Layer::Seatbelt],
    witnesses: &[],
    native: Some(|scene| {
        spell_bits(scene, |path| exists(rustix::fs::statfs(path).map_err(io::Error::from)))
    }),
    python: Some(include_str!("statfs.py")),
    ..Escape::BLANK
}];
