//! Leaving a file where the work is delivered, by the plainest ways.

use crate::fs_write::effect::done;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

const PLANT: Escape = Escape {
    techniques: &["FW-EVIDENCE", "FW-CREATE"],
    references: &[
        "https://github.com/openai/codex/issues/37081",
        "https://attack.mitre.org/techniques/T1565/001/",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "plant/create",
        summary: "Create a new file among the deliverables",
        witnesses: &["landlock/make-reg", "hook/open"],
        native: Some(|scene| {
            done(fs::write(scene.path("deliverables")?.join("planted"), b"planted"))
        }),
        python: Some(include_str!("create.py")),
        ..PLANT
    },
    Escape {
        id: "plant/create.relative",
        summary: "Create a new file among the deliverables by a path that climbs from the run directory",
        witnesses: &["landlock/make-reg", "hook/open"],
        references: &["CWE-22"],
        native: Some(|scene| done(fs::write(relative(scene)?, b"planted"))),
        python: Some(include_str!("create.relative.py")),
        ..PLANT
    },
    Escape {
        id: "plant/create.append",
        summary: "Append to a file that was delivered before",
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| {
            let report = scene.path("deliverables")?.join("report.txt");
            done(OpenOptions::new().append(true).open(report)?.write_all(b"planted\n"))
        }),
        python: Some(include_str!("create.append.py")),
        ..PLANT
    },
];

/// More steps than any path has: at the root, `..` is the root.
fn relative(scene: &Scene) -> io::Result<PathBuf> {
    let mut path = std::ffi::OsString::from(".");
    path.push("/..".repeat(64));
    path.push(scene.clue("deliverables")?);
    path.push("/planted");
    Ok(path.into())
}
