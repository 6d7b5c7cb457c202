//! Get hold of what the loader is told: whoever hands on his variables tells it to load from his places.

use harness::escape::{Escape, Layer};
use std::env;
use std::os::unix::ffi::OsStringExt;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/loader-variable",
    summary: "Read an inherited variable that tells the loader where to look for libraries",
    techniques: &["MC-DYLD"],
    references: &["https://github.com/luckyPipewrench/pipelock/pull/267", "CWE-426"],
    stops: &[Layer::Hygiene],
    witnesses: &["hygiene/environment"],
    silent: Some("a variable that is not handed on is simply not there"),
    native: Some(|_scene| Ok(env::var_os("DYLD_LIBRARY_PATH").unwrap_or_default().into_vec())),
    ..Escape::BLANK
}];
