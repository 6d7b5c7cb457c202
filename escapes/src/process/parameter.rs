//! Change the real-time priority of somebody outside who has one, as players of sound and controllers of machines
//! do. Less of it is given without a privilege, and who runs in time no more has been stopped as surely.

use super::thread_outside::ThreadOutside;
use crate::raw;
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "process/parameter",
    summary: "Lower the real-time priority of a thread outside within its policy",
    techniques: &["KP-RTSCHED"],
    references: &["https://man7.org/linux/man-pages/man2/sched_setparam.2.html"],
    // For the decoy: what is lowered must be raised first.
    needs: &[Need::Capability(23, "CAP_SYS_NICE")],
    decoys: &[&TIMELY],
    stops: &[Layer::Seccomp, Layer::OtherNamespace],
    witnesses: &["hygiene/capabilities", "seccomp/sched_setparam"],
    // A control group without a share of real time has no such thread.
    absent: &[libc::ENOSYS, libc::EINVAL],
    twin: Twin::OwnProcess,
    native: Some(|scene| {
        let thread = scene.number("timely")?;
        let priority = LOWER;
        raw::call(libc::SYS_sched_setparam, [thread, &raw const priority as usize, 0, 0, 0, 0])?;
        Ok(Vec::new())
    }),
    ..Escape::BLANK
}];

/// Real-time priorities: the lowest, and one above it.
const LOWER: i32 = 1;
const BEFORE: i32 = 2;

/// A thread outside that has a real-time policy, and sleeps.
const TIMELY: ThreadOutside =
    ThreadOutside { clue: "timely", what: "priority", begin: become_timely, look: priority };

fn become_timely() -> io::Result<i64> {
    let wanted = BEFORE;
    let wanted = &raw const wanted as usize;
    match raw::call(libc::SYS_sched_setscheduler, [0, libc::SCHED_RR as usize, wanted, 0, 0, 0]) {
        // It stays an ordinary one, whose priority within its policy is none.
        Err(error) if error.raw_os_error() != Some(libc::EPERM) => Err(error),
        Ok(_) | Err(_) => priority(),
    }
}

fn priority() -> io::Result<i64> {
    let mut priority = 0_i32;
    raw::call(libc::SYS_sched_getparam, [0, &raw mut priority as usize, 0, 0, 0, 0])?;
    Ok(priority.into())
}
