//! Execute a program that was brought along in the run directory.

use super::marker;
#[cfg(target_os = "linux")]
use super::program;
#[cfg(target_os = "linux")]
use crate::own_names;
use fixtures::watch::process::MARKER;
#[cfg(target_os = "linux")]
use harness::escape::Need;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
#[cfg(target_os = "linux")]
use rustix::fs::{Mode, OFlags};
#[cfg(target_os = "linux")]
use std::ffi::CString;
use std::io;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;

const EXEC: Escape = Escape {
    techniques: &["EX-EXECRUN"],
    references: &[
        "https://man7.org/linux/man-pages/man7/landlock.7.html",
        "https://attack.mitre.org/techniques/T1059/",
    ],
    decoys: &[MARKER],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::Seatbelt],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/exec-run",
        summary: "Write a static program into the run directory and become it",
        witnesses: &["landlock/execute", "landlock/place-run", "seccomp/execve"],
        native: Some(own),
        ..EXEC
    },
    Escape {
        id: "exec/exec-run.link",
        summary: "Become a program of the run directory through a symbolic link",
        witnesses: &["landlock/execute", "seccomp/execve"],
        native: Some(link),
        ..EXEC
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "exec/exec-run.root",
        summary: "Become a program of the run directory by the root of the own process",
        needs: &[Need::File("/proc/self/root")],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["landlock/execute", "seccomp/execve"],
        native: Some(|scene| {
            let file = marker::file(scene)?;
            program::write(&file)?;
            let path = CString::new(own_names::by_root(&file).into_os_string().into_vec())?;
            marker::become_program(&path, &[marker::marker(scene)?])
        }),
        ..EXEC
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "exec/exec-run.held",
        summary: "Become a program of the run directory by the /proc name of a path-only descriptor",
        needs: &[Need::File("/proc/self/fd")],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["landlock/execute", "seccomp/execve"],
        native: Some(|scene| {
            let file = marker::file(scene)?;
            program::write(&file)?;
            let held = rustix::fs::open(file, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
            let path = CString::new(own_names::of_descriptor(&held).into_os_string().into_vec())?;
            marker::become_program(&path, &[marker::marker(scene)?])
        }),
        ..EXEC
    },
];

#[cfg(target_os = "linux")]
fn own(scene: &Scene) -> io::Result<Vec<u8>> {
    let name = marker::marker(scene)?;
    program::write(&marker::file(scene)?)?;
    marker::become_program(&name, &[&name])
}

#[cfg(target_os = "linux")]
fn link(scene: &Scene) -> io::Result<Vec<u8>> {
    let name = marker::marker(scene)?;
    program::write(&scene.run().join("hidden"))?;
    symlink("hidden", marker::file(scene)?)?;
    marker::become_program(&name, &[&name])
}

/// Programs without libraries do not exist here: a copy of this one plays it again.
#[cfg(target_os = "macos")]
fn own(scene: &Scene) -> io::Result<Vec<u8>> {
    marker::again(scene, || become_copy(scene, &marker::file(scene)?))
}

#[cfg(target_os = "macos")]
fn link(scene: &Scene) -> io::Result<Vec<u8>> {
    marker::again(scene, || {
        symlink("hidden", marker::file(scene)?)?;
        become_copy(scene, &scene.run().join("hidden"))
    })
}

/// Copies the own program to a place of the run directory and becomes what bears the marker there.
#[cfg(target_os = "macos")]
fn become_copy(scene: &Scene, place: &std::path::Path) -> io::Result<Vec<u8>> {
    std::fs::copy(marker::image()?, place)?;
    marker::become_program(&marker::marker(scene)?, &marker::own_arguments(scene)?)
}
