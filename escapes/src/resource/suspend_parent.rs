//! Let oneself be suspended in a wait that ordinary signals do not end: a process that borrows this
//! one's memory keeps it asleep until it ends.

use super::stay::{self, LIMIT};
use crate::raw;
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/suspend-parent",
    summary: "Be suspended by a vfork whose new process neither ends nor executes",
    techniques: &["RA-DSTATE"],
    references: &[
        "https://man7.org/linux/man-pages/man2/vfork.2.html",
        "https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html",
    ],
    decoys: &[&Usage { what: What::Uninterruptible, above: 0, milliseconds: 300 }],
    stops: &[Layer::Seccomp, Layer::Limits],
    witnesses: &["seccomp/clone"],
    twin: Twin::Thread,
    native: Some(suspend),
    ..LIMIT
}];

fn suspend(scene: &Scene) -> io::Result<Vec<u8>> {
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    let child = raw::clone_shared(flags, &mut || i32::from(stay::idle(scene).is_err()))?;
    waitpid(Pid::from_raw(child), Some(WaitPidFlag::__WALL))?;
    Ok(Vec::new())
}
