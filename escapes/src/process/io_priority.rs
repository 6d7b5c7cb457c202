//! Make the input and output of somebody outside wait behind everybody else's. It stands in no file of
//! `/proc`, so the target is a thread that asks for its own.

use super::thread_outside::ThreadOutside;
use crate::raw;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "process/io-priority",
    summary: "Lower the priority of a thread outside in all that it reads and writes",
    techniques: &["KP-SETPRIORITY"],
    references: &["https://man7.org/linux/man-pages/man2/ioprio_set.2.html"],
    decoys: &[&READER],
    stops: &[Layer::Seccomp, Layer::OtherNamespace],
    witnesses: &["hygiene/capabilities", "seccomp/ioprio_set"],
    twin: Twin::OwnProcess,
    native: Some(|scene| {
        let thread = scene.number("reader")?;
        raw::call(libc::SYS_ioprio_set, [WHO_PROCESS, thread, IDLE, 0, 0, 0])?;
        Ok(Vec::new())
    }),
    ..Escape::BLANK
}];

/// `linux/ioprio.h`: one thread, and the class of those who wait for all others.
const WHO_PROCESS: usize = 1;
const IDLE: usize = 3 << 13;

/// A thread outside that could have something to read.
const READER: ThreadOutside =
    ThreadOutside { clue: "reader", what: "i/o priority", begin: priority, look: priority };

fn priority() -> io::Result<i64> {
    raw::call(libc::SYS_ioprio_get, [WHO_PROCESS, 0, 0, 0, 0, 0])
}
