//! Execute a program whose file gives it another user's rights.

use super::marker;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::pipe::{PipeFlags, fcntl_getpipe_size, pipe_with};
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
    needs: &[Need::File("/bin/su")],
    decoys: &[MARKER],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
    witnesses: &["landlock/execute", "landlock/read-file", "seccomp/execve"],
    twin: Twin::OwnFile,
    native: Some(become_su),
    ..Escape::BLANK
}];

/// Asked for help it touches nothing. It would be gone too soon to be seen, so its help goes into a
/// full pipe, where it waits until the alarm that it was born with.
fn become_su(scene: &Scene) -> io::Result<Vec<u8>> {
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    let (_reader, writer) = pipe_with(PipeFlags::NONBLOCK)?;
    let full = vec![0; fcntl_getpipe_size(&writer)?];
    rustix::io::write(&writer, &full)?;
    rustix::fs::fcntl_setfl(&writer, rustix::fs::OFlags::empty())?;
    nix::unistd::dup2_stdout(&writer)?;
    nix::unistd::alarm::set(1);
    let arguments = [c"su".into(), c"--help".into(), marker::marker(scene)?];
    let result = marker::replaced(nix::unistd::execv(c"/bin/su", &arguments));
    nix::unistd::alarm::cancel();
    nix::unistd::dup2_stdout(&output)?;
    result
}
