//! Execute by execveat, which a filter that knows only execve lets pass.

use super::{marker, program};
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use nix::fcntl::AtFlags;
use rustix::fs::{Mode, OFlags};
use std::fs;

/// What the program brought along.
const EXEC: Escape = Escape {
    techniques: &["EX-EXECVEAT"],
    references: &["https://man7.org/linux/man-pages/man2/execveat.2.html"],
    decoys: &[MARKER],
    stops: &[Layer::Landlock, Layer::Seccomp],
    witnesses: &["hygiene/execute-once", "landlock/execute", "seccomp/execveat"],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

/// What is of the system, which must be seen and read too.
const SYSTEM: Escape = Escape {
    needs: &[Need::File("/bin/sh")],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
    witnesses: &[
        "hygiene/execute-once",
        "landlock/execute",
        "landlock/read-file",
        "seccomp/execveat",
    ],
    ..EXEC
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/execveat",
        summary: "Become a program of the run directory, named beneath a directory descriptor",
        native: Some(|scene| {
            program::write(&marker::file(scene)?)?;
            let run = rustix::fs::open(scene.run(), OFlags::DIRECTORY, Mode::empty())?;
            let name = marker::marker(scene)?;
            let none = AtFlags::empty();
            marker::become_beneath(run, &name, std::slice::from_ref(&name), none)
        }),
        ..EXEC
    },
    Escape {
        id: "exec/execveat.descriptor",
        summary: "Become a program of the run directory by a descriptor that cannot even read it",
        native: Some(|scene| {
            let file = marker::file(scene)?;
            program::write(&file)?;
            let program = rustix::fs::open(file, OFlags::PATH, Mode::empty())?;
            marker::become_held(program, &[marker::marker(scene)?])
        }),
        ..EXEC
    },
    Escape {
        id: "exec/execveat.unlinked",
        summary: "Become a program that has no name any more",
        native: Some(|scene| {
            let file = marker::file(scene)?;
            program::write(&file)?;
            let program = rustix::fs::open(&file, OFlags::RDONLY, Mode::empty())?;
            fs::remove_file(&file)?;
            marker::become_held(program, &[marker::marker(scene)?])
        }),
        ..EXEC
    },
    Escape {
        id: "exec/execveat.script",
        summary: "Become a script of the run directory by its descriptor, run by the system shell",
        techniques: &["EX-EXECVEAT", "EX-SHEBANG"],
        native: Some(|scene| {
            let file = scene.run().join("script");
            marker::script(&mut program::create(&file)?)?;
            let script = rustix::fs::open(file, OFlags::RDONLY, Mode::empty())?;
            let arguments = [c"script".into(), marker::marker(scene)?];
            marker::become_held(script, &arguments)
        }),
        ..SYSTEM
    },
    Escape {
        id: "exec/execveat.system",
        summary: "Become the system shell by a descriptor that cannot even read it",
        techniques: &["EX-EXECVEAT", "EX-EXECBIN"],
        native: Some(|scene| {
            let shell = rustix::fs::open(marker::SHELL, OFlags::PATH, Mode::empty())?;
            marker::become_held(shell, &marker::shell(scene)?)
        }),
        ..SYSTEM
    },
];
