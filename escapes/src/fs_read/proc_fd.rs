//! A secret that another process holds open stands in /proc as a magic link to the open file itself:
//! no path of the secret is walked.

use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::{fs, io};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "fs-read/proc-fd",
    summary: "Read a secret through the descriptor that a process outside holds open",
    techniques: &["FR-PROCFD"],
    references: &["https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html", "CWE-403"],
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::OtherNamespace, Layer::Hook],
    witnesses: &["hygiene/capabilities", "layer/landlock"],
    native: Some(read),
    python: Some(include_str!("proc_fd.py")),
    ..Escape::BLANK
}];

fn read(scene: &Scene) -> io::Result<Vec<u8>> {
    fs::read(format!("/proc/{}/fd/{}", scene.text("victim")?, scene.text("victim-fd")?))
}
