//! Linux. No priority that the launcher has and others have not: clone(2) hands it on, and a program that
//! runs before everybody else stops the machine without breaking a rule.

use super::plan::{ChildPlan, Step};
use super::seen::{Stepped, expect, raw, take};

/// What `getpriority(2)` answers for a niceness of zero: 20 less the niceness.
const NOT_NICE: isize = 20;
/// `IOPRIO_WHO_PROCESS`, `IOPRIO_CLASS_RT` and the place of the class, `linux/ioprio.h`.
const WHO_PROCESS: usize = 1;
const CLASS_REAL_TIME: isize = 1;
const CLASS_SHIFT: isize = 13;

/// Gives up what is above the ordinary and keeps what is below it.
pub(super) fn lower(plan: &ChildPlan) -> Stepped {
    let policy = || raw(libc::SYS_sched_getscheduler, [0; 6]);
    let held = policy();
    take(Step::Priority, held)?;
    let ordinary = [libc::SCHED_OTHER, libc::SCHED_BATCH, libc::SCHED_IDLE];
    if !ordinary.iter().any(|ordinary| *ordinary as isize == held) {
        let none = 0i32;
        let arguments = [0, libc::SCHED_OTHER as usize, (&raw const none) as usize, 0, 0, 0];
        take(Step::Priority, raw(libc::SYS_sched_setscheduler, arguments))?;
        expect(plan, Step::Priority, policy(), libc::SCHED_OTHER as isize)?;
    }
    let process = libc::PRIO_PROCESS as usize;
    let niceness = || raw(libc::SYS_getpriority, [process, 0, 0, 0, 0, 0]);
    if niceness() > NOT_NICE {
        take(Step::Priority, raw(libc::SYS_setpriority, [process, 0, 0, 0, 0, 0]))?;
        expect(plan, Step::Priority, niceness(), NOT_NICE)?;
    }
    // A kernel without disks has no such priority, and answers with an error.
    let class = || raw(libc::SYS_ioprio_get, [WHO_PROCESS, 0, 0, 0, 0, 0]) >> CLASS_SHIFT;
    if class() == CLASS_REAL_TIME {
        take(Step::Priority, raw(libc::SYS_ioprio_set, [WHO_PROCESS, 0, 0, 0, 0, 0]))?;
        expect(plan, Step::Priority, (class() == CLASS_REAL_TIME).into(), 0)?;
    }
    Ok(())
}
