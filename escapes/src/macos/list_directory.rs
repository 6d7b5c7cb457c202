//! List a directory outside whose names are secret: the macOS form of `metadata/list-dir`.

use harness::escape::{Escape, Layer};
use std::fs;
use std::os::unix::ffi::OsStringExt;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/list-directory",
    summary: "List a directory outside whose names are secret",
    techniques: &["ST-LISTDIR"],
    references: &["CWE-548"],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    native: Some(|scene| {
        let mut loot = Vec::new();
        for entry in fs::read_dir(scene.path("listing")?)? {
            loot.extend(entry?.file_name().into_vec());
            loot.push(b'\n');
        }
        Ok(loot)
    }),
    ..Escape::BLANK
}];
