//! Execute by execveat, which a filter that knows only execve lets pass.

use super::{marker, program};
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::fcntl::AtFlags;
use rustix::fs::{Mode, OFlags};
use std::ffi::CString;
use std::os::fd::AsFd;
use std::{fs, io};

const EXEC: Escape = Escape {
    techniques: &["EX-EXECVEAT"],
    references: &["https://man7.org/linux/man-pages/man2/execveat.2.html"],
    decoys: &[MARKER],
    stops: &[Layer::Landlock, Layer::Seccomp],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/execveat",
        summary: "Become a program of the run directory, named beneath a directory descriptor",
        witnesses: &["hygiene/execute-once", "landlock/execute", "seccomp/execveat"],
        native: Some(|scene| {
            program::write(&marker::file(scene)?)?;
            let run = rustix::fs::open(scene.run(), OFlags::DIRECTORY, Mode::empty())?;
            become_program(scene, run, &marker::marker(scene)?, AtFlags::empty())
        }),
        ..EXEC
    },
    Escape {
        id: "exec/execveat.descriptor",
        summary: "Become a program of the run directory by a descriptor that cannot even read it",
        witnesses: &["hygiene/execute-once", "landlock/execute", "seccomp/execveat"],
        native: Some(|scene| {
            let file = marker::file(scene)?;
            program::write(&file)?;
            let program = rustix::fs::open(file, OFlags::PATH, Mode::empty())?;
            become_program(scene, program, c"", AtFlags::AT_EMPTY_PATH)
        }),
        ..EXEC
    },
    Escape {
        id: "exec/execveat.unlinked",
        summary: "Become a program that has no name any more",
        witnesses: &["hygiene/execute-once", "landlock/execute", "seccomp/execveat"],
        native: Some(|scene| {
            let file = marker::file(scene)?;
            program::write(&file)?;
            let program = rustix::fs::open(&file, OFlags::RDONLY, Mode::empty())?;
            fs::remove_file(&file)?;
            become_program(scene, program, c"", AtFlags::AT_EMPTY_PATH)
        }),
        ..EXEC
    },
    Escape {
        id: "exec/execveat.script",
        summary: "Become a script of the run directory by its descriptor, run by the system shell",
        techniques: &["EX-EXECVEAT", "EX-SHEBANG"],
        needs: &[Need::File("/bin/sh")],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &[
            "hygiene/execute-once",
            "landlock/execute",
            "landlock/read-file",
            "seccomp/execveat",
        ],
        native: Some(|scene| {
            let file = scene.run().join("script");
            marker::script(&mut program::create(&file)?)?;
            let script = rustix::fs::open(file, OFlags::RDONLY, Mode::empty())?;
            let arguments = [c"script".into(), marker::marker(scene)?];
            let flags = AtFlags::AT_EMPTY_PATH;
            let environment: [CString; 0] = [];
            marker::replaced(nix::unistd::execveat(script, c"", &arguments, &environment, flags))
        }),
        ..EXEC
    },
    Escape {
        id: "exec/execveat.system",
        summary: "Become the system shell by a descriptor that cannot even read it",
        techniques: &["EX-EXECVEAT", "EX-EXECBIN"],
        needs: &[Need::File("/bin/sh")],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &[
            "hygiene/execute-once",
            "landlock/execute",
            "landlock/read-file",
            "seccomp/execveat",
        ],
        native: Some(|scene| {
            let shell = rustix::fs::open(marker::SHELL, OFlags::PATH, Mode::empty())?;
            let (arguments, environment) = (marker::shell(scene)?, [] as [CString; 0]);
            let flags = AtFlags::AT_EMPTY_PATH;
            marker::replaced(nix::unistd::execveat(shell, c"", &arguments, &environment, flags))
        }),
        ..EXEC
    },
];

fn become_program(
    scene: &Scene,
    descriptor: impl AsFd,
    path: &std::ffi::CStr,
    flags: AtFlags,
) -> io::Result<Vec<u8>> {
    let arguments = [marker::marker(scene)?];
    marker::replaced(nix::unistd::execveat(descriptor, path, &arguments, &[] as &[CString], flags))
}
