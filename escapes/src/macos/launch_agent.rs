//! Leave a job that is started at the next login.

use crate::fs_write::effect::done;
use harness::escape::{Escape, Layer};
use std::fs;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/launch-agent",
    summary: "Leave a launch agent in a home outside",
    techniques: &["MC-LAUNCHAGENT"],
    references: &["https://attack.mitre.org/techniques/T1543/001/"],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    native: Some(|scene| {
        let agents = scene.path("deliverables")?.join("Library/LaunchAgents");
        fs::create_dir_all(&agents)?;
        done(fs::write(agents.join("decoy.plist"), "<plist version=\"1.0\"><dict/></plist>\n"))
    }),
    ..Escape::BLANK
}];
