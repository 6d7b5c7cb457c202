//! Start a program by the function beneath `subprocess`, which tells no audit hook of it.

use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "exec/fork-exec-raw",
    summary: "Start a second interpreter by _posixsubprocess.fork_exec, beneath every audit event",
    techniques: &["EX-FORKEXECRAW"],
    references: &["https://github.com/python/cpython/issues/115322"],
    decoys: &[MARKER],
    // No event is raised, but a hook may keep the module from being imported.
    stops: &[Layer::Seccomp, Layer::Seatbelt, Layer::Hook],
    witnesses: &["seccomp/clone", "seccomp/execve", "hook/import._posixsubprocess"],
    twin: Twin::Thread,
    python: Some(concat!(include_str!("marker.py"), include_str!("fork_exec_raw.py"))),
    ..Escape::BLANK
}];
