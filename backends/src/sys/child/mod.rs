//! Linux. The life of a child between clone and exec: raw system calls only, in the order of the
//! plan, each one checked. It allocates nothing, calls nothing of libc, and panics nowhere: it shares
//! its memory with a parent whose other threads go on running.
//!
//! What does not depend on the program comes first, the filter included. Then the child waits for its order, for as
//! long as nobody has a program; and then for nothing more.

mod channel;
mod plan;
mod priority;
mod seen;
mod view;

use channel::Given;
pub(crate) use plan::{
    ChildPlan, FileId, FilterSlot, Limit, Order, PENDING, Probe, Shared, Shown, Step, ViewPlan,
    ViewStep,
};
use seen::{Stepped, expect, raw, set, take};
use std::sync::atomic::Ordering;

/// `struct sock_fprog`, seccomp(2).
#[repr(C)]
struct FilterProgram {
    length: u16,
    filter: *const FilterSlot,
}

/// `struct __user_cap_header_struct` and its data of version 3, capset(2).
#[repr(C)]
struct CapabilityHeader {
    version: u32,
    pid: i32,
}

const CAPABILITY_VERSION_3: u32 = 0x2008_0522;

/// Lives by the plan and never returns.
pub(super) extern "C" fn live(plan: &ChildPlan) -> ! {
    if let Err((step, answer)) = confine(plan) {
        plan.shared.step.store(step as u32, Ordering::SeqCst);
        plan.shared.errno.store(-answer as i32, Ordering::SeqCst);
    }
    loop {
        raw(libc::SYS_exit_group, [127, 0, 0, 0, 0, 0]);
    }
}

/// Takes the steps; returns only if one fails, or if there is nothing to execute.
fn confine(plan: &ChildPlan) -> Stepped {
    begin(plan)?;
    if let Some(view) = &plan.view {
        view::enter(plan, view)?;
    }
    lock_down(plan)?;
    channel::keep(plan)?;
    filter(plan)?;
    let given = channel::receive(plan)?;
    restrict(plan, &given)?;
    unblock(plan)?;
    let program = place(plan, &given)?;
    plan.shared.step.store(Step::Execute as u32, Ordering::SeqCst);
    if !given.order.probes.is_empty() {
        probe(given.order.probes);
    }
    execute(plan, given.order, program)
}

/// The key of the launch, as a call carries it: in the upper halves of two arguments that are 32-bit integers, so that
/// the kernel sees none of it.
fn halves(plan: &ChildPlan) -> [usize; 2] {
    plan.key.map(|half| (half as usize) << 32)
}

fn execute(plan: &ChildPlan, order: &Order<'_>, program: i32) -> Stepped {
    let [first, second] = halves(plan);
    let arguments = [
        first | program as usize,
        c"".as_ptr() as usize,
        order.arguments as usize,
        order.environment as usize,
        second | libc::AT_EMPTY_PATH as usize,
        0,
    ];
    take(Step::Execute, raw(libc::SYS_execveat, arguments))?;
    // Whoever executes a program does not come back.
    expect(plan, Step::Execute, 0, 1)
}

fn probe(probes: &[Probe]) -> ! {
    for probe in probes {
        let answer = raw(probe.number, probe.arguments);
        if answer == 0 && is_fork(probe) {
            raw(libc::SYS_exit_group, [0; 6]);
        }
        probe.answer.store(answer, Ordering::SeqCst);
    }
    loop {
        raw(libc::SYS_exit_group, [0; 6]);
    }
}

/// A probe that, where nothing stops it, returns zero in a new process.
fn is_fork(probe: &Probe) -> bool {
    probe.number == libc::SYS_clone
}

/// Death rule, session, signals and limits.
fn begin(plan: &ChildPlan) -> Stepped {
    if plan.parent != 0 {
        let signal = libc::SIGKILL as usize;
        let answer = raw(libc::SYS_prctl, [libc::PR_SET_PDEATHSIG as usize, signal, 0, 0, 0, 0]);
        take(Step::Deathsignal, answer)?;
        let mut held = 0i32;
        let get = [libc::PR_GET_PDEATHSIG as usize, (&raw mut held) as usize, 0, 0, 0, 0];
        take(Step::Deathsignal, raw(libc::SYS_prctl, get))?;
        expect(plan, Step::Deathsignal, held as isize, signal as isize)?;
        // The parent may have died before the death signal was set.
        if raw(libc::SYS_getppid, [0; 6]) != plan.parent as isize {
            return Err((Step::Deathsignal, -(libc::ESRCH as isize)));
        }
    }
    if plan.own_session {
        let session = raw(libc::SYS_setsid, [0; 6]);
        take(Step::Session, session)?;
        expect(plan, Step::Session, session, raw(libc::SYS_getpid, [0; 6]))?;
    }
    if plan.ordinary_priority {
        priority::lower(plan)?;
    }
    raw(libc::SYS_umask, [0o022, 0, 0, 0, 0, 0]);
    // CLONE_CLEAR_SIGHAND leaves ignored signals ignored; 64 is _NSIG. Two cannot be set: EINVAL.
    let default = [0usize; 4];
    for signal in 1..=64 {
        raw(libc::SYS_rt_sigaction, [signal, default.as_ptr() as usize, 0, 8, 0, 0]);
    }
    for limit in &plan.limits {
        set(plan, limit, Step::Limits)?;
    }
    Ok(())
}

/// No new privileges, no capabilities.
fn lock_down(plan: &ChildPlan) -> Stepped {
    if plan.no_new_privileges {
        let set = raw(libc::SYS_prctl, [libc::PR_SET_NO_NEW_PRIVS as usize, 1, 0, 0, 0, 0]);
        take(Step::NoNewPrivileges, set)?;
        let get = raw(libc::SYS_prctl, [libc::PR_GET_NO_NEW_PRIVS as usize, 0, 0, 0, 0, 0]);
        expect(plan, Step::NoNewPrivileges, get, 1)?;
    }
    if plan.drop_capabilities {
        let header = CapabilityHeader { version: CAPABILITY_VERSION_3, pid: 0 };
        let mut sets = [0u32; 6];
        let arguments = [(&raw const header) as usize, sets.as_mut_ptr() as usize, 0, 0, 0, 0];
        take(Step::Capabilities, raw(libc::SYS_capset, arguments))?;
        take(Step::Capabilities, raw(libc::SYS_capget, arguments))?;
        let held = sets.iter().fold(0, |all, set| all | *set);
        expect(plan, Step::Capabilities, held as isize, 0)?;
    }
    Ok(())
}

/// Landlock, which the filter lets the launch alone enter.
fn restrict(plan: &ChildPlan, given: &Given<'_>) -> Stepped {
    let Some(ruleset) = given.ruleset else { return Ok(()) };
    let [first, second] = halves(plan);
    let arguments = [first | ruleset as usize, second, 0, 0, 0, 0];
    take(Step::Landlock, raw(libc::SYS_landlock_restrict_self, arguments))?;
    if given.order.root_is_denied {
        let flags = (libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) as usize;
        let root = c"/".as_ptr() as usize;
        let answer = raw(libc::SYS_openat, [libc::AT_FDCWD as usize, root, flags, 0, 0, 0]);
        expect(plan, Step::Landlock, answer, -(libc::EACCES as isize))?;
    }
    Ok(())
}

/// Signals, all of which were blocked while this memory was the parent's.
fn unblock(plan: &ChildPlan) -> Stepped {
    let none = 0u64;
    let arguments =
        [libc::SIG_SETMASK as usize, (&raw const none) as usize, 0, size_of::<u64>(), 0, 0];
    take(Step::Unblock, raw(libc::SYS_rt_sigprocmask, arguments))?;
    let mut blocked = u64::MAX;
    let arguments =
        [libc::SIG_SETMASK as usize, 0, (&raw mut blocked) as usize, size_of::<u64>(), 0, 0];
    take(Step::Unblock, raw(libc::SYS_rt_sigprocmask, arguments))?;
    expect(plan, Step::Unblock, (blocked != 0).into(), 0)
}

/// The filter.
fn filter(plan: &ChildPlan) -> Stepped {
    if plan.filter.is_empty() {
        return Ok(());
    }
    let own = raw(libc::SYS_getpid, [0; 6]) as u32;
    for index in &plan.own_pid_slots {
        if let Some(slot) = plan.filter.get(*index) {
            slot.value.store(own, Ordering::SeqCst);
        }
    }
    let program = FilterProgram { length: plan.filter.len() as u16, filter: plan.filter.as_ptr() };
    let mode = libc::SECCOMP_SET_MODE_FILTER as usize;
    let answer = raw(libc::SYS_seccomp, [mode, 0, (&raw const program) as usize, 0, 0, 0]);
    take(Step::Seccomp, answer)?;
    let mode = raw(libc::SYS_prctl, [libc::PR_GET_SECCOMP as usize, 0, 0, 0, 0, 0]);
    expect(plan, Step::Seccomp, mode, libc::SECCOMP_MODE_FILTER as isize)?;
    if plan.socket_answer != 0 {
        let kind = [libc::AF_UNIX as usize, libc::SOCK_DGRAM as usize, 0, 0, 0, 0];
        expect(plan, Step::Seccomp, raw(libc::SYS_socket, kind), plan.socket_answer)?;
    }
    Ok(())
}

/// The three streams, the directory, the last limit; and the program as it is to be executed, or -1.
fn place(plan: &ChildPlan, given: &Given<'_>) -> Result<i32, (Step, isize)> {
    for (target, source) in given.streams.iter().enumerate() {
        let answer = raw(libc::SYS_dup3, [*source as usize, target, 0, 0, 0, 0]);
        take(Step::Streams, answer)?;
        expect(plan, Step::Streams, answer, target as isize)?;
    }
    let mut program = given.program.unwrap_or(-1);
    match &plan.view {
        // A descriptor from outside would keep a way out, and the view has entered its own directory.
        Some(view) => {
            if let Some((path, file)) = &view.program {
                program = view::program(plan, path, *file)?;
            }
        }
        None => {
            let directory = given.directory as usize;
            take(Step::Directory, raw(libc::SYS_fchdir, [directory, 0, 0, 0, 0, 0]))?;
        }
    }
    if let Some(limit) = &given.order.open_files {
        set(plan, limit, Step::OpenFiles)?;
    }
    Ok(program)
}
