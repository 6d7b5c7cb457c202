//! Execute a program whose file gives it another user's rights.

use super::marker;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pipe::pipe;
use std::ffi::CString;
use std::io;
use std::os::fd::AsFd;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "exec/suid-bin",
    summary: "Become a set-user-id program of the system",
    techniques: &["EX-SUIDBIN"],
    references: &[
        "CWE-250",
        "https://man7.org/linux/man-pages/man1/su.1.html",
        "https://github.com/NVIDIA/OpenShell/issues/578",
    ],
    needs: &[Need::File(PROGRAM)],
    decoys: &[MARKER],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt],
    witnesses: &["landlock/execute", "landlock/read-file", "seccomp/execve"],
    twin: Twin::OwnFile,
    native: Some(become_it),
    ..Escape::BLANK
}];

/// One that touches nothing when it is asked so.
#[cfg(target_os = "linux")]
const PROGRAM: &str = "/bin/su";
#[cfg(target_os = "macos")]
const PROGRAM: &str = "/bin/ps";

/// It would be gone too soon to be seen, so what it prints goes into a full pipe, where it waits until the
/// alarm that it was born with.
fn become_it(scene: &Scene) -> io::Result<Vec<u8>> {
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    let (_reader, writer) = pipe()?;
    fcntl_setfl(&writer, OFlags::NONBLOCK)?;
    while rustix::io::write(&writer, &[0; 512]).is_ok() {}
    fcntl_setfl(&writer, OFlags::empty())?;
    nix::unistd::dup2_stdout(&writer)?;
    nix::unistd::alarm::set(1);
    let program = CString::new(PROGRAM)?;
    let result = marker::become_program(&program, &arguments(marker::marker(scene)?));
    nix::unistd::alarm::cancel();
    nix::unistd::dup2_stdout(&output)?;
    result
}

#[cfg(target_os = "linux")]
fn arguments(marker: CString) -> [CString; 3] {
    [c"su".into(), c"--help".into(), marker]
}

/// By the name of the marker, for a further argument would be one to it.
#[cfg(target_os = "macos")]
fn arguments(marker: CString) -> [CString; 2] {
    [marker, c"-ax".into()]
}
