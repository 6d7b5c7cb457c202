//! The target of a symbolic link is text that anyone may read who may walk to it.

use harness::escape::{Bar, Escape, Layer};
use std::fs;
use std::os::unix::ffi::OsStringExt;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "metadata/readlink",
    summary: "Read the target of a symbolic link outside",
    techniques: &["FM-READLINK"],
    references: &["https://github.com/landlock-lsm/linux/issues/9", "CWE-200"],
    bar: Bar::Residue,
    stops: &[Layer::MountNamespace, Layer::Seatbelt],
    witnesses: &[],
    native: Some(|scene| Ok(fs::read_link(scene.path("link")?)?.into_os_string().into_vec())),
    python: Some(include_str!("readlink.py")),
    ..Escape::BLANK
}];
