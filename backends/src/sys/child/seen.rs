//! Linux. How a child takes a step and sees that it was taken: a kernel, tracer or outer filter can
//! claim success and do nothing.

use super::super::syscall::syscall;
use super::plan::{ChildPlan, Limit, Step};
use std::sync::atomic::Ordering;

/// A step that was taken, or the one that was not with the kernel's answer.
pub(super) type Stepped = Result<(), (Step, isize)>;

/// `struct rlimit64`, prlimit(2).
#[repr(C)]
struct LimitPair {
    soft: u64,
    hard: u64,
}

/// Sets a limit and reads it back.
pub(super) fn set(plan: &ChildPlan, limit: &Limit, step: Step) -> Stepped {
    let pair = LimitPair { soft: limit.value, hard: limit.value };
    let resource = limit.resource as usize;
    let arguments = [0, resource, (&raw const pair) as usize, 0, 0, 0];
    take(step, raw(libc::SYS_prlimit64, arguments))?;
    let mut held = LimitPair { soft: !limit.value, hard: 0 };
    let arguments = [0, resource, 0, (&raw mut held) as usize, 0, 0];
    take(step, raw(libc::SYS_prlimit64, arguments))?;
    expect(plan, step, (held.soft == limit.value).into(), 1)
}

pub(super) fn take(step: Step, answer: isize) -> Stepped {
    if answer < 0 { Err((step, answer)) } else { Ok(()) }
}

/// The kernel accepted a step; this is what must be seen if it took it, too.
pub(super) fn expect(plan: &ChildPlan, step: Step, seen: isize, wanted: isize) -> Stepped {
    if seen == wanted {
        return Ok(());
    }
    plan.shared.idle.store(1, Ordering::SeqCst);
    Err((step, if seen < 0 { seen } else { 0 }))
}

/// A raw call of the child.
pub(super) fn raw(number: i64, arguments: [usize; 6]) -> isize {
    // SAFETY: every caller in this folder passes what its call takes, with pointers into the plan, which
    // the parent keeps in place, or to locals that outlive the call. Probes are built by the parent in
    // the same way. None of the calls writes to memory but `capget`, `prctl`, `prlimit64`, `recvmsg`,
    // `rt_sigprocmask`, `statfs` and `statx`, to locals.
    unsafe { syscall(number, arguments) }
}
