//! A compiled module beside a source file is what Python runs, not the source. Whoever may write
//! there changes the next program that imports it.

use super::effect::done;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::{fs, io};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "fs-write/pycache",
    summary: "Leave a compiled module beside the source of a repository outside",
    witnesses: &["landlock/make-dir", "hook/os.mkdir"],
    techniques: &["FW-PYCACHE"],
    references: &[
        "https://codex.danielvaughan.com/2026/04/20/configuration-based-sandbox-escape-cbse-codex-cli-defence/",
        "https://peps.python.org/pep-3147/",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    native: Some(plant),
    python: Some(include_str!("pycache.py")),
    ..Escape::BLANK
}];

fn plant(scene: &Scene) -> io::Result<Vec<u8>> {
    let cache = scene.path("repo")?.join("src/__pycache__");
    fs::create_dir(&cache)?;
    done(fs::write(cache.join("main.cpython-311.pyc"), b"compiled"))
}
