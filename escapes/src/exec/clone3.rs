//! Start a second process by clone3, whose flags lie in memory where no filter can read them.

use super::marker;
use crate::raw;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "exec/clone3",
    summary: "Start a second process by clone3, whose flags no filter can read",
    techniques: &["EX-CLONE3"],
    references: &[
        "https://man7.org/linux/man-pages/man2/clone.2.html",
        "https://github.com/flatpak/flatpak/pull/4456",
    ],
    decoys: &[MARKER],
    stops: &[Layer::Seccomp, Layer::Seatbelt],
    witnesses: &["seccomp/clone3"],
    twin: Twin::Thread,
    native: Some(clone3),
    ..Escape::BLANK
}];

/// `struct clone_args` of its first version: flags, pidfd, two thread ids, exit signal, stack, its
/// size, TLS.
fn clone3(scene: &Scene) -> io::Result<Vec<u8>> {
    let arguments: [u64; 8] = [0, 0, 0, 0, libc::SIGCHLD as u64, 0, 0, 0];
    let size = size_of_val(&arguments);
    let address = arguments.as_ptr() as usize;
    marker::second(scene, || Ok(raw::call(libc::SYS_clone3, [address, size, 0, 0, 0, 0])? as i32))
}
