//! Execute the own program again: it may be executed, and it comes back without what its process had
//! set up, such as an audit hook.

use super::marker;
use fixtures::watch::process::MARKER;
#[cfg(target_os = "linux")]
use harness::escape::Need;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
#[cfg(target_os = "linux")]
use rustix::fs::{Mode, OFlags, open};
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStringExt;

const EXEC: Escape = Escape {
    techniques: &["EX-REEXEC"],
    references: &[
        "https://man7.org/linux/man-pages/man2/execve.2.html",
        "https://github.com/ogx-ai/llama-stack-apps/issues/223",
    ],
    decoys: &[MARKER],
    stops: &[Layer::Seccomp, Layer::Seatbelt],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/re-exec",
        summary: "Become the own program again by its path",
        stops: &[Layer::Seccomp, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/execve", "hook/os.*"],
        native: Some(|scene| {
            marker::again(scene, || marker::become_program(&own()?, &marker::own_arguments(scene)?))
        }),
        python: Some(concat!(include_str!("marker.py"), include_str!("re_exec.py"))),
        ..EXEC
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "exec/re-exec.proc",
        summary: "Become the own program again by /proc/self/exe",
        needs: &[Need::File("/proc/self/exe")],
        witnesses: &["seccomp/execve"],
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        native: Some(|scene| {
            marker::again(scene, || {
                let arguments = marker::own_arguments(scene)?;
                marker::become_program(c"/proc/self/exe", &arguments)
            })
        }),
        ..EXEC
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "exec/re-exec.absolute",
        summary: "Become the own program again by execveat, whose absolute path ignores the descriptor",
        witnesses: &["hygiene/execute-once", "seccomp/execveat"],
        native: Some(|scene| {
            marker::again(scene, || {
                marker::become_absolute(&own()?, &marker::own_arguments(scene)?, 0)
            })
        }),
        ..EXEC
    },
    // Who could guess what the launch itself put there would execute again.
    #[cfg(target_os = "linux")]
    Escape {
        id: "exec/re-exec.registers",
        summary: "Become the own program again by execveat with something in the upper halves of its integers",
        witnesses: &["hygiene/execute-once", "seccomp/execveat"],
        native: Some(|scene| {
            marker::again(scene, || {
                let arguments = marker::own_arguments(scene)?;
                marker::become_absolute(&own()?, &arguments, 0x5eed_5eed)
            })
        }),
        ..EXEC
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "exec/re-exec.descriptor",
        summary: "Become the own program again by a descriptor that cannot even read it",
        witnesses: &["hygiene/execute-once", "seccomp/execveat"],
        native: Some(|scene| {
            marker::again(scene, || {
                let image = open(marker::image()?, OFlags::PATH, Mode::empty())?;
                marker::become_held(image, &marker::own_arguments(scene)?)
            })
        }),
        ..EXEC
    },
];

fn own() -> io::Result<CString> {
    Ok(CString::new(marker::image()?.into_os_string().into_vec())?)
}
