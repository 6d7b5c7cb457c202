//! Linux. The life of a child between clone and exec: raw system calls only, in the order of the
//! plan, each one checked. It allocates nothing, calls nothing of libc, and panics nowhere: it shares
//! its memory with a parent whose other threads go on running.

use super::syscall::syscall;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// What parent and child tell each other through the memory that they share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// [`PENDING`] at first, [`LISTENING`] when `listener` holds a descriptor, zero (by the kernel,
    /// `CLONE_CHILD_CLEARTID`) when the child has executed its program or is dead.
    pub(crate) word: AtomicU32,
    /// The seccomp listener: a descriptor of the parent too, for both share one table then.
    pub(crate) listener: AtomicI32,
    /// The last step that was begun, as an index into [`STEPS`].
    pub(crate) step: AtomicU32,
    /// The errno of the step that failed, or zero.
    pub(crate) errno: AtomicI32,
    /// Whether the step was accepted by the kernel but did not do what it says.
    pub(crate) idle: AtomicU32,
}

/// The first value of [`Shared::word`].
pub(crate) const PENDING: u32 = 1;
/// The value of [`Shared::word`] that says that the listener is there.
pub(crate) const LISTENING: u32 = 2;

impl Shared {
    /// A fresh one.
    pub(crate) fn new() -> Self {
        Self {
            word: AtomicU32::new(PENDING),
            listener: AtomicI32::new(-1),
            step: AtomicU32::new(0),
            errno: AtomicI32::new(0),
            idle: AtomicU32::new(0),
        }
    }
}

/// The steps of a child, in order. The names are those of the calls, for errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Step {
    Deathsignal,
    Session,
    Limits,
    NoNewPrivileges,
    Landlock,
    Capabilities,
    Unblock,
    Seccomp,
    Descriptors,
    Streams,
    Directory,
    OpenFiles,
    Execute,
}

impl Step {
    const ALL: [Self; 13] = [
        Self::Deathsignal,
        Self::Session,
        Self::Limits,
        Self::NoNewPrivileges,
        Self::Landlock,
        Self::Capabilities,
        Self::Unblock,
        Self::Seccomp,
        Self::Descriptors,
        Self::Streams,
        Self::Directory,
        Self::OpenFiles,
        Self::Execute,
    ];

    /// The step with this index.
    pub(crate) fn from_index(index: u32) -> Self {
        Self::ALL.into_iter().find(|step| *step as u32 == index).unwrap_or(Self::Deathsignal)
    }

    /// The call that makes the step.
    pub(crate) fn call(self) -> &'static str {
        match self {
            Self::Deathsignal => "prctl(PR_SET_PDEATHSIG)",
            Self::Session => "setsid",
            Self::Limits | Self::OpenFiles => "prlimit64",
            Self::NoNewPrivileges => "prctl(PR_SET_NO_NEW_PRIVS)",
            Self::Landlock => "landlock_restrict_self",
            Self::Capabilities => "capset",
            Self::Unblock => "rt_sigprocmask",
            Self::Seccomp => "seccomp(SECCOMP_SET_MODE_FILTER)",
            Self::Descriptors => "close_range",
            Self::Streams => "dup3",
            Self::Directory => "fchdir",
            Self::Execute => "execveat",
        }
    }
}

/// Everything that a child does, prepared by its parent. Pointers are read, never written, except
/// `shared` and the results of probes.
#[derive(Debug)]
pub(crate) struct ChildPlan<'a> {
    pub(crate) shared: &'a Shared,
    /// The process that must still be the parent once the death signal is set; zero for no death signal.
    pub(crate) parent: i32,
    pub(crate) own_session: bool,
    pub(crate) limits: &'a [Limit],
    pub(crate) no_new_privileges: bool,
    /// The Landlock ruleset, or -1.
    pub(crate) ruleset: i32,
    /// A listing of `/` must be denied once the ruleset is in force.
    pub(crate) root_is_denied: bool,
    pub(crate) drop_capabilities: bool,
    /// The filter, or an empty slice; its own copy, for the own pid is written into it.
    pub(crate) filter: &'a [FilterSlot],
    /// Which instructions of the filter compare with the own pid.
    pub(crate) own_pid_slots: &'a [usize],
    /// Whether `execveat` waits for the listener.
    pub(crate) listen: bool,
    /// What `socket(AF_UNIX, SOCK_DGRAM, 0)` must answer once the filter is in force (a negative
    /// errno), or zero if it is allowed.
    pub(crate) socket_answer: isize,
    pub(crate) close_descriptors: bool,
    /// A descriptor above the streams that nothing else uses: the child closes it to see that its table
    /// is its own.
    pub(crate) spare: i32,
    pub(crate) streams: [i32; 3],
    pub(crate) directory: i32,
    /// `RLIMIT_NOFILE`, set after the listener has taken its place in the shared table.
    pub(crate) open_files: Option<Limit>,
    pub(crate) probes: &'a [Probe],
    pub(crate) program: i32,
    pub(crate) arguments: *const *const libc::c_char,
    pub(crate) environment: *const *const libc::c_char,
}

/// A resource limit; soft and hard are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) resource: u32,
    pub(crate) value: u64,
}

/// One instruction of the filter. Atomic, because the child writes its pid into its copy.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct FilterSlot {
    pub(crate) code: u16,
    pub(crate) jump_true: u8,
    pub(crate) jump_false: u8,
    pub(crate) value: AtomicU32,
}

/// A call that a child makes instead of executing a program, to see what it answers.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) number: i64,
    pub(crate) arguments: [usize; 6],
    /// What the kernel returned: a negative errno, or a result.
    pub(crate) answer: std::sync::atomic::AtomicIsize,
}

/// `struct sock_fprog`, seccomp(2).
#[repr(C)]
struct FilterProgram {
    length: u16,
    filter: *const FilterSlot,
}

/// `struct rlimit64`, prlimit(2).
#[repr(C)]
struct LimitPair {
    soft: u64,
    hard: u64,
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

type Stepped = Result<(), (Step, isize)>;

/// Takes the steps; returns only if one fails, or if there is nothing to execute.
fn confine(plan: &ChildPlan) -> Stepped {
    begin(plan)?;
    lock_down(plan)?;
    filter(plan)?;
    streams(plan)?;
    plan.shared.step.store(Step::Execute as u32, Ordering::SeqCst);
    if !plan.probes.is_empty() {
        for probe in plan.probes {
            let answer = raw(probe.number, probe.arguments);
            if answer == 0 && is_fork(probe) {
                raw(libc::SYS_exit_group, [0; 6]);
            }
            probe.answer.store(answer, Ordering::SeqCst);
        }
        raw(libc::SYS_exit_group, [0; 6]);
    }
    let arguments = [
        plan.program as usize,
        c"".as_ptr() as usize,
        plan.arguments as usize,
        plan.environment as usize,
        libc::AT_EMPTY_PATH as usize,
        0,
    ];
    call_parent(plan);
    let answer = raw(libc::SYS_execveat, arguments);
    take(Step::Execute, answer)?;
    // Whoever executes a program does not come back.
    expect(plan, Step::Execute, 0, 1)
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
    raw(libc::SYS_umask, [0o022, 0, 0, 0, 0, 0]);
    // CLONE_CLEAR_SIGHAND leaves ignored signals ignored; 64 is _NSIG. Two cannot be set: EINVAL.
    let default = [0usize; 4];
    for signal in 1..=64 {
        raw(libc::SYS_rt_sigaction, [signal, default.as_ptr() as usize, 0, 8, 0, 0]);
    }
    for limit in plan.limits {
        set(plan, limit, Step::Limits)?;
    }
    Ok(())
}

/// No new privileges, Landlock, no capabilities.
fn lock_down(plan: &ChildPlan) -> Stepped {
    if plan.no_new_privileges {
        let set = raw(libc::SYS_prctl, [libc::PR_SET_NO_NEW_PRIVS as usize, 1, 0, 0, 0, 0]);
        take(Step::NoNewPrivileges, set)?;
        let get = raw(libc::SYS_prctl, [libc::PR_GET_NO_NEW_PRIVS as usize, 0, 0, 0, 0, 0]);
        expect(plan, Step::NoNewPrivileges, get, 1)?;
    }
    if plan.ruleset >= 0 {
        let answer = raw(libc::SYS_landlock_restrict_self, [plan.ruleset as usize, 0, 0, 0, 0, 0]);
        take(Step::Landlock, answer)?;
        if plan.root_is_denied {
            let flags = (libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) as usize;
            let root = c"/".as_ptr() as usize;
            let answer = raw(libc::SYS_openat, [libc::AT_FDCWD as usize, root, flags, 0, 0, 0]);
            expect(plan, Step::Landlock, answer, -(libc::EACCES as isize))?;
        }
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

/// The filter, and the listener for the one execution.
fn filter(plan: &ChildPlan) -> Stepped {
    if plan.filter.is_empty() {
        return Ok(());
    }
    let own = raw(libc::SYS_getpid, [0; 6]) as u32;
    for index in plan.own_pid_slots {
        if let Some(slot) = plan.filter.get(*index) {
            slot.value.store(own, Ordering::SeqCst);
        }
    }
    let program = FilterProgram { length: plan.filter.len() as u16, filter: plan.filter.as_ptr() };
    let flags = if plan.listen { libc::SECCOMP_FILTER_FLAG_NEW_LISTENER as usize } else { 0 };
    let mode = libc::SECCOMP_SET_MODE_FILTER as usize;
    let answer = raw(libc::SYS_seccomp, [mode, flags, (&raw const program) as usize, 0, 0, 0]);
    take(Step::Seccomp, answer)?;
    let mode = raw(libc::SYS_prctl, [libc::PR_GET_SECCOMP as usize, 0, 0, 0, 0, 0]);
    expect(plan, Step::Seccomp, mode, libc::SECCOMP_MODE_FILTER as isize)?;
    if plan.socket_answer != 0 {
        let kind = [libc::AF_UNIX as usize, libc::SOCK_DGRAM as usize, 0, 0, 0, 0];
        expect(plan, Step::Seccomp, raw(libc::SYS_socket, kind), plan.socket_answer)?;
    }
    if plan.listen {
        plan.shared.listener.store(answer as i32, Ordering::SeqCst);
        plan.shared.word.store(LISTENING, Ordering::SeqCst);
    }
    Ok(())
}

/// Wakes the parent, which has to let the execution through. It does so last of all: by the time that
/// the parent looks at the listener the call waits there, and it does not go to sleep a second time.
fn call_parent(plan: &ChildPlan) {
    if plan.listen {
        let word = plan.shared.word.as_ptr() as usize;
        raw(libc::SYS_futex, [word, libc::FUTEX_WAKE as usize, 1, 0, 0, 0]);
    }
}

/// An own descriptor table, the three streams, the directory.
fn streams(plan: &ChildPlan) -> Stepped {
    descriptors(plan)?;
    for (target, source) in plan.streams.iter().enumerate() {
        let answer = raw(libc::SYS_dup3, [*source as usize, target, 0, 0, 0, 0]);
        take(Step::Streams, answer)?;
        expect(plan, Step::Streams, answer, target as isize)?;
    }
    take(Step::Directory, raw(libc::SYS_fchdir, [plan.directory as usize, 0, 0, 0, 0, 0]))?;
    match &plan.open_files {
        Some(limit) => set(plan, limit, Step::OpenFiles),
        None => Ok(()),
    }
}

/// A descriptor table of the child's own, in which nothing above the streams survives the execution.
/// Both are seen to be so before a stream is replaced, which would be one of the parent's otherwise.
fn descriptors(plan: &ChildPlan) -> Stepped {
    let spare = plan.spare as usize;
    let unshare = [spare, spare, libc::CLOSE_RANGE_UNSHARE as usize, 0, 0, 0];
    take(Step::Descriptors, raw(libc::SYS_close_range, unshare))?;
    let get = |descriptor| raw(libc::SYS_fcntl, [descriptor, libc::F_GETFD as usize, 0, 0, 0, 0]);
    expect(plan, Step::Descriptors, get(spare), -(libc::EBADF as isize))?;
    if !plan.close_descriptors {
        return Ok(());
    }
    let directory = plan.directory as usize;
    raw(libc::SYS_fcntl, [directory, libc::F_SETFD as usize, 0, 0, 0, 0]);
    let flags = libc::CLOSE_RANGE_CLOEXEC as usize;
    take(Step::Descriptors, raw(libc::SYS_close_range, [3, u32::MAX as usize, flags, 0, 0, 0]))?;
    expect(plan, Step::Descriptors, get(directory), libc::FD_CLOEXEC as isize)
}

/// Sets a limit and reads it back.
fn set(plan: &ChildPlan, limit: &Limit, step: Step) -> Stepped {
    let pair = LimitPair { soft: limit.value, hard: limit.value };
    let resource = limit.resource as usize;
    let arguments = [0, resource, (&raw const pair) as usize, 0, 0, 0];
    take(step, raw(libc::SYS_prlimit64, arguments))?;
    let mut held = LimitPair { soft: !limit.value, hard: 0 };
    let arguments = [0, resource, 0, (&raw mut held) as usize, 0, 0];
    take(step, raw(libc::SYS_prlimit64, arguments))?;
    expect(plan, step, (held.soft == limit.value).into(), 1)
}

fn take(step: Step, answer: isize) -> Stepped {
    if answer < 0 { Err((step, answer)) } else { Ok(()) }
}

/// The kernel accepted a step; this is what must be seen if it took it, too.
fn expect(plan: &ChildPlan, step: Step, seen: isize, wanted: isize) -> Stepped {
    if seen == wanted {
        return Ok(());
    }
    plan.shared.idle.store(1, Ordering::SeqCst);
    Err((step, if seen < 0 { seen } else { 0 }))
}

/// A raw call of the child.
fn raw(number: i64, arguments: [usize; 6]) -> isize {
    // SAFETY: every caller in this file passes what its call takes, with pointers into the plan, which
    // the parent keeps in place, or to locals that outlive the call. Probes are built by the parent in
    // the same way. None of the calls writes to memory but `capget`, `prctl`, `prlimit64` and
    // `rt_sigprocmask`, to locals.
    unsafe { syscall(number, arguments) }
}
