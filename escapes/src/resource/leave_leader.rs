//! End the first thread alone: the process looks dead, a zombie without memory and command line, and
//! another thread lives on in it.

use super::sleep::{ALIVE, DEADLINE};
use super::stay::{self, LIMIT};
use crate::raw;
use harness::escape::Escape;
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/leave-leader",
    summary: "End the first thread and live past the deadline in another one",
    techniques: &["RA-ZOMBIE"],
    references: &[
        "https://man7.org/linux/man-pages/man2/_exit.2.html",
        "https://man7.org/linux/man-pages/man2/pidfd_open.2.html",
    ],
    limit: Some(DEADLINE),
    decoys: &[ALIVE],
    witnesses: &["limits/wall-clock"],
    twin: Twin::Thread,
    native: Some(leave),
    ..LIMIT
}];

fn leave(scene: &Scene) -> io::Result<Vec<u8>> {
    // Without its first thread a process has no command line to be found by.
    scene.show("found")?;
    let scene = scene.clone();
    std::thread::Builder::new().spawn(move || {
        let ended = stay::idle(&scene);
        raw::leave(i32::from(ended.is_err()));
    })?;
    // The system call ends this thread, where the function of the C library ends the process.
    raw::call(libc::SYS_exit, [0; 6]).map(|_never| Vec::new())
}
