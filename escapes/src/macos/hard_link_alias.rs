//! Give a file outside a second name in the run directory, and write to it by that name.

use crate::fs_write::effect::done;
use harness::escape::{Escape, Layer};
use std::fs::{self, OpenOptions};
use std::io::Write;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/hard-link-alias",
    summary: "Link a file outside into the run directory and append to it there",
    techniques: &["MC-HARDLINKALIAS"],
    references: &[
        "https://github.com/unslothai/unsloth/pull/10526",
        "https://github.com/nubjs/nub/pull/449",
    ],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    native: Some(|scene| {
        let alias = scene.run().join("alias");
        fs::hard_link(scene.path("writable")?, &alias)?;
        done(OpenOptions::new().append(true).open(alias)?.write_all(b"planted\n"))
    }),
    ..Escape::BLANK
}];
