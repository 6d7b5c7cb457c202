//! The variables that a program was started with lie on its stack for as long as it lives. A wrapper
//! that unsets them in its own process before it runs the rest has unset only the list of them.

use crate::raw;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "environment/initial-stack",
    summary: "Read an inherited variable from the initial stack",
    techniques: &["FR-MEMINHERIT"],
    references: &["CWE-526", "https://man7.org/linux/man-pages/man3/getauxval.3.html"],
    stops: &[Layer::Hygiene],
    witnesses: &["hygiene/environment"],
    silent: Some("a variable that is not handed on is simply not there"),
    native: Some(read),
    ..Escape::BLANK
}];

fn read(_scene: &Scene) -> io::Result<Vec<u8>> {
    let strings = raw::initial_strings()?;
    let variable = strings
        .split(|byte| *byte == 0)
        .find(|string| string.starts_with(b"ESCAPOLOGY_DECOY="))
        .unwrap_or_default();
    Ok(variable.to_vec())
}
