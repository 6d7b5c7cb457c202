//! Execute a program that lies in memory only: it has no path, so no rule on paths applies to it.

use super::{marker, program};
use crate::own_names;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::fs::{MemfdFlags, memfd_create};
use std::ffi::CString;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStringExt;

const EXEC: Escape = Escape {
    techniques: &["EX-MEMFDEXEC"],
    references: &[
        "https://man7.org/linux/man-pages/man2/memfd_create.2.html",
        "https://attack.mitre.org/techniques/T1620/",
    ],
    decoys: &[MARKER],
    stops: &[Layer::Seccomp],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/memfd-exec",
        summary: "Become a program in memory by its descriptor",
        witnesses: &["hygiene/execute-once", "seccomp/execveat", "seccomp/memfd_create"],
        native: Some(|scene| marker::become_held(memory(scene)?, &[marker::marker(scene)?])),
        ..EXEC
    },
    Escape {
        id: "exec/memfd-exec.path",
        summary: "Become a program in memory by its name below /proc",
        needs: &[Need::File("/proc/self/fd")],
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Hook],
        witnesses: &["seccomp/execve", "seccomp/memfd_create", "hook/os.*"],
        native: Some(|scene| {
            let memory = memory(scene)?;
            let path = CString::new(own_names::of_descriptor(&memory).into_os_string().into_vec())?;
            marker::become_program(&path, &[marker::marker(scene)?])
        }),
        python: Some(concat!(include_str!("marker.py"), include_str!("memfd_exec.path.py"))),
        ..EXEC
    },
    Escape {
        id: "exec/memfd-exec.script",
        summary: "Become a script in memory by its name below /proc, run by the system shell",
        techniques: &["EX-MEMFDEXEC", "EX-SHEBANG"],
        needs: &[Need::File("/proc/self/fd"), Need::File("/bin/sh")],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &[
            "landlock/execute",
            "landlock/read-file",
            "seccomp/execve",
            "seccomp/memfd_create",
        ],
        native: Some(|scene| {
            let mut memory = File::from(memfd_create("script", MemfdFlags::empty())?);
            marker::script(&mut memory)?;
            let path = CString::new(own_names::of_descriptor(&memory).into_os_string().into_vec())?;
            marker::become_program(&path, &[c"script".into(), marker::marker(scene)?])
        }),
        ..EXEC
    },
];

fn memory(scene: &Scene) -> io::Result<File> {
    let memory = memfd_create(marker::marker(scene)?, MemfdFlags::empty())?;
    let mut memory = File::from(memory);
    memory.write_all(&program::bytes())?;
    Ok(memory)
}
