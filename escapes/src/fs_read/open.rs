//! The plainest escape: open a secret by its absolute path and read it.

use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::fs;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "fs-read/open",
    summary: "Open a secret outside the policy by its absolute path and read it",
    techniques: &["FR-OPEN"],
    references: &["CWE-552", "https://attack.mitre.org/techniques/T1552/001/"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &["landlock/place-run", "landlock/read-file", "hook/open", "hook/write"],
    twin: Twin::OwnFile,
    native: Some(|scene| fs::read(scene.path("secret")?)),
    python: Some(include_str!("open.py")),
    ..Escape::BLANK
}];
