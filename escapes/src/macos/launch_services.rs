//! Have launchd start a job: it is started by the system, outside every sandbox.

use crate::fs_write::effect::done;
use crate::raw_macos::helper;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/launch-services",
    summary: "Have launchd start a job that writes outside",
    techniques: &["MC-LAUNCHD"],
    references: &[
        "https://github.com/docker/model-runner/pull/715",
        "https://github.com/FerroxLabs/wayland/issues/1102",
    ],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    native: Some(submit),
    ..Escape::BLANK
}];

/// How long launchd may take to start a job.
const PATIENCE: Duration = Duration::from_secs(5);

fn submit(scene: &Scene) -> io::Result<Vec<u8>> {
    let (label, planted) =
        (format!("escapology.{}", scene.nonce()), scene.path("deliverables")?.join("planted"));
    let job = ["submit", "-l", &label, "--", "/usr/bin/touch"].map(std::ffi::OsStr::new);
    let begun = done(helper("/bin/launchctl", job.into_iter().chain([planted.as_os_str()])))?;
    let deadline = Instant::now() + PATIENCE;
    while !planted.exists() && Instant::now() < deadline {
        sleep(Duration::from_millis(20));
    }
    // launchd would start it again and again.
    helper("/bin/launchctl", ["remove", &label])?;
    Ok(begun)
}
