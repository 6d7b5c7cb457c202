//! Paths that climb: a sandbox that compares the text of a path with the text of a grant lets a
//! granted prefix followed by enough `..` reach everything.

use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

const DOT_DOT: Escape = Escape {
    techniques: &["FR-OPEN"],
    references: &["CWE-22", "CWE-23", "https://capec.mitre.org/data/definitions/139.html"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/dot-dot",
        summary: "Read a secret by a path that climbs from the working directory",
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| fs::read(climb(Path::new("."), scene)?)),
        python: Some(include_str!("dot_dot.py")),
        ..DOT_DOT
    },
    Escape {
        id: "fs-read/dot-dot.granted-prefix",
        summary: "Read a secret by a path that starts with the granted run directory and climbs",
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| fs::read(climb(scene.run(), scene)?)),
        python: Some(include_str!("dot_dot.granted_prefix.py")),
        ..DOT_DOT
    },
];

/// More steps than any path has: at the root, `..` is the root.
fn climb(from: &Path, scene: &Scene) -> io::Result<PathBuf> {
    let mut path: OsString = from.into();
    path.push("/..".repeat(64));
    path.push(scene.clue("secret")?);
    Ok(path.into())
}
