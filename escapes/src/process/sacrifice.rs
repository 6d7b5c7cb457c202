//! Make a process outside the first that the kernel kills when memory is short.

use super::victim;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::fs::OpenOptions;
use std::io::Write;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "process/sacrifice",
    summary: "Make a process outside the first to be killed when memory is short",
    techniques: &["KP-SETPRIORITY"],
    references: &["https://man7.org/linux/man-pages/man5/proc_pid_oom_score_adj.5.html"],
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::OtherNamespace, Layer::Hook],
    witnesses: &["landlock/write-file", "hook/open"],
    twin: Twin::OwnFile,
    native: Some(|scene| {
        let path = format!("/proc/{}/oom_score_adj", victim::number(scene)?);
        OpenOptions::new().write(true).open(path)?.write_all(b"1000")?;
        Ok(Vec::new())
    }),
    python: Some(include_str!("sacrifice.py")),
    ..Escape::BLANK
}];
