//! Have the script interpreter of the system run a shell.

use crate::fs_write::effect::done;
use crate::raw_macos::helper;
use harness::escape::{Escape, Layer};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/apple-event",
    summary: "Have osascript run a shell that writes outside",
    techniques: &["MC-APPLEEVENT"],
    references: &["https://github.com/tqbf/selfdrivingwiki/issues/1280"],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    native: Some(|scene| {
        let planted = scene.path("deliverables")?.join("planted");
        let script =
            "on run argv\ndo shell script \"touch \" & quoted form of item 1 of argv\nend run";
        let arguments = ["-e", script].map(std::ffi::OsStr::new);
        done(helper("/usr/bin/osascript", arguments.into_iter().chain([planted.as_os_str()])))
    }),
    ..Escape::BLANK
}];
