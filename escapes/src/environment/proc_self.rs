//! The kernel shows every process the environment that it was started with.

use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::{fs, io};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "environment/proc-self",
    summary: "Read an inherited variable from /proc/self/environ",
    techniques: &["FR-MEMINHERIT", "FR-ENVIRON"],
    references: &["CWE-526", "https://man7.org/linux/man-pages/man5/proc_pid_environ.5.html"],
    stops: &[Layer::Landlock, Layer::Hygiene, Layer::MountNamespace, Layer::Hook],
    witnesses: &["hygiene/environment", "landlock/read-file"],
    silent: Some("a variable that is not handed on is simply not there"),
    native: Some(read),
    python: Some(include_str!("proc_self.py")),
    ..Escape::BLANK
}];

fn read(_scene: &Scene) -> io::Result<Vec<u8>> {
    let variables = fs::read("/proc/self/environ")?;
    let variable = variables
        .split(|byte| *byte == 0)
        .find(|variable| variable.starts_with(b"ESCAPOLOGY_DECOY="))
        .unwrap_or_default();
    Ok(variable.to_vec())
}
