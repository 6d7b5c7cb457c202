//! Hold a descriptor of a process outside: it is the handle of every newer call on processes, and tells
//! when the process ends.

use super::victim;
use fixtures::watch::held::HELD_DESCRIPTOR;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "process/pidfd",
    summary: "Hold a descriptor of a process outside",
    techniques: &["KP-PTRACE"],
    references: &["https://man7.org/linux/man-pages/man2/pidfd_open.2.html"],
    decoys: &[VICTIM, HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp, Layer::OtherNamespace],
    witnesses: &["seccomp/pidfd_open"],
    twin: Twin::OwnProcess,
    native: Some(|scene| {
        let _held = victim::descriptor(scene)?;
        scene.show("descriptor pidfd")?;
        Ok(Vec::new())
    }),
    python: Some(include_str!("pidfd.py")),
    ..Escape::BLANK
}];
