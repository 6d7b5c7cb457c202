//! Removing what stands outside.

use super::effect::done;
use harness::escape::{Escape, Layer};
use std::fs;

const DELETE: Escape = Escape {
    techniques: &["FW-DELETE"],
    references: &["https://man.archlinux.org/man/landlock.7.en.raw"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/delete",
        summary: "Remove a file outside",
        witnesses: &["landlock/remove-file", "hook/os.remove"],
        native: Some(|scene| done(fs::remove_file(scene.path("writable")?))),
        python: Some(include_str!("delete.py")),
        ..DELETE
    },
    Escape {
        id: "fs-write/delete.directory",
        summary: "Remove an empty directory outside",
        witnesses: &["landlock/remove-dir", "hook/os.rmdir"],
        native: Some(|scene| done(fs::remove_dir(scene.path("repo")?.join(".git/refs")))),
        python: Some(include_str!("delete.directory.py")),
        ..DELETE
    },
];
