//! Starting a program by what the standard library keeps for itself, beneath the functions that raise
//! audit events.

use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "hook/spawn",
    summary: "Start a shell by the spawning function that multiprocessing keeps for itself",
    techniques: &["EX-FORKEXECRAW"],
    references: &["https://github.com/python/cpython/issues/115322"],
    decoys: &[MARKER],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &[
        "landlock/execute",
        "landlock/read-file",
        "seccomp/clone",
        "seccomp/execve",
        "hook/import._posixsubprocess",
    ],
    silent: Some("a child that cannot become the shell ends without a word"),
    twin: Twin::Thread,
    python: Some(concat!(include_str!("../exec/marker.py"), include_str!("spawn.py"))),
    ..Escape::BLANK
}];
