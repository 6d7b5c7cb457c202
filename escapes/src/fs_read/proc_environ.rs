//! Secrets handed to a process in its environment stand in /proc for as long as it lives. Since
//! Linux 6.15 a holder of `CAP_PERFMON` may read them without any security module being asked.

use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::{fs, io};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "fs-read/proc-environ",
    summary: "Read the environment of a process outside through /proc",
    techniques: &["FR-ENVIRON"],
    references: &[
        "https://git.zx2c4.com/laptop-kernel/commit/?id=0c555a3c1bc9114ad91422b941dcd29e02490687",
        "https://github.com/Certora/AutoProver/pull/73",
        "CWE-526",
    ],
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::OtherNamespace, Layer::Hook],
    witnesses: &["hygiene/capabilities", "landlock/read-file"],
    native: Some(read),
    python: Some(include_str!("proc_environ.py")),
    ..Escape::BLANK
}];

fn read(scene: &Scene) -> io::Result<Vec<u8>> {
    fs::read(format!("/proc/{}/environ", scene.text("victim")?))
}
