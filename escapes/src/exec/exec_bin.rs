//! Execute a program of the system.

use super::marker;
use crate::raw;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const EXEC: Escape = Escape {
    techniques: &["EX-EXECBIN"],
    references: &[
        "https://man7.org/linux/man-pages/man2/execve.2.html",
        "https://github.com/NVIDIA/OpenShell/issues/578",
    ],
    needs: &[Need::File("/bin/sh")],
    decoys: &[MARKER],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/exec-bin",
        summary: "Become the system shell",
        witnesses: &["landlock/execute", "landlock/read-file", "seccomp/execve", "hook/os.*"],
        native: Some(become_shell),
        python: Some(concat!(include_str!("marker.py"), include_str!("exec_bin.py"))),
        ..EXEC
    },
    Escape {
        id: "exec/exec-bin.child",
        summary: "Start the system shell as a second process",
        techniques: &["EX-EXECBIN", "EX-FORK"],
        witnesses: &[
            "landlock/execute",
            "landlock/read-file",
            "seccomp/clone",
            "seccomp/execve",
            "hook/os.*",
        ],
        native: Some(|scene| marker::child(raw::fork, || become_shell(scene).map(|_never| ()))),
        python: Some(concat!(include_str!("marker.py"), include_str!("exec_bin.child.py"))),
        ..EXEC
    },
];

fn become_shell(scene: &Scene) -> io::Result<Vec<u8>> {
    marker::become_program(marker::SHELL, &marker::shell(scene)?)
}
