//! The command line of every process stands in /proc, open to all: no check of who may trace whom
//! protects it.

use fixtures::watch::victim::VICTIM_CMDLINE;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::{fs, io};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "fs-read/proc-cmdline",
    summary: "Read the command line of a process outside through /proc",
    techniques: &["FR-CMDLINE"],
    references: &["CWE-214", "https://man7.org/linux/man-pages/man5/proc_pid_cmdline.5.html"],
    decoys: &[VICTIM_CMDLINE],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::OtherNamespace, Layer::Hook],
    witnesses: &["landlock/read-file", "hook/open"],
    native: Some(read),
    python: Some(include_str!("proc_cmdline.py")),
    ..Escape::BLANK
}];

fn read(scene: &Scene) -> io::Result<Vec<u8>> {
    fs::read(format!("/proc/{}/cmdline", scene.text("victim")?))
}
