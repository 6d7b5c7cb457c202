//! Linux. Calls of the parent side that no safe library wraps.

use nix::errno::Errno;
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// How a process ended and what it used, wait4(2).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reaped {
    /// The status word, for `WIFEXITED` and its kin.
    pub(crate) status: i32,
    /// CPU time in user and kernel mode.
    pub(crate) cpu: Duration,
    /// Largest resident set, in bytes.
    pub(crate) peak_memory: u64,
}

fn checked(result: i64) -> io::Result<i64> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

fn duration(time: libc::timeval) -> Duration {
    let micros = u32::try_from(time.tv_usec).unwrap_or(0);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), micros.saturating_mul(1000))
}

/// Reaps the child with this pid, which has ended or will.
///
/// # Errors
/// The errno of `wait4`; `ECHILD` when somebody else reaped it.
pub(crate) fn reap(pid: i32) -> io::Result<Reaped> {
    let mut status = 0;
    // SAFETY: `rusage` is plain integers, for which all-zero bytes are a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to locals of the right types; __WALL also waits for a child that
        // has not executed anything yet.
        let result = unsafe { libc::wait4(pid, &mut status, libc::__WALL, &mut usage) };
        match checked(i64::from(result)) {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let cpu = duration(usage.ru_utime) + duration(usage.ru_stime);
    let peak_memory = u64::try_from(usage.ru_maxrss).unwrap_or(0).saturating_mul(1024);
    Ok(Reaped { status, cpu, peak_memory })
}

/// Kills the process behind a pidfd. One that is dead already is no error.
///
/// # Errors
/// The errno of `pidfd_send_signal`.
pub(crate) fn kill(pidfd: impl AsFd) -> io::Result<()> {
    let descriptor = pidfd.as_fd().as_raw_fd();
    // SAFETY: pidfd_send_signal(2) with a descriptor that is open for this call and no siginfo.
    let result =
        unsafe { libc::syscall(libc::SYS_pidfd_send_signal, descriptor, libc::SIGKILL, 0usize, 0) };
    match checked(result) {
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Ok(()),
        other => other.map(|_| ()),
    }
}

/// Whether the process behind a pidfd is a child of this one that nobody has reaped yet. A process id would not tell:
/// a copy of a parent can have the number of that, in a pid namespace of its own or once the parent is gone.
pub(crate) fn is_child(pidfd: impl AsFd) -> bool {
    let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT | WaitPidFlag::WNOHANG;
    waitid(Id::PIDFd(pidfd.as_fd()), look | WaitPidFlag::__WALL) != Err(Errno::ECHILD)
}

/// Whether this thread may look into a process (`PTRACE_MODE_READ_REALCREDS`, ptrace(2)): what get_robust_list(2) asks.
pub(crate) fn may_look_into(pid: i32) -> bool {
    let (mut head, mut length) = (0usize, 0usize);
    // SAFETY: get_robust_list(2) writes an address and a size, to two locals of their size.
    let result =
        unsafe { libc::syscall(libc::SYS_get_robust_list, pid, &raw mut head, &raw mut length) };
    result == 0
}

/// The call by which [`kill_child`] kills.
pub(crate) const KILL: &str = "pidfd_send_signal";

/// Kills a child that is not reaped yet. One that is dead already is no error.
///
/// # Errors
/// As [`kill`].
pub(crate) fn kill_child(pidfd: impl AsFd, _pid: i32) -> io::Result<()> {
    kill(pidfd)
}

/// Waits until the word no longer holds `value`, at most for `timeout`. May return early.
pub(crate) fn wait_word(word: &AtomicU32, value: u32, timeout: Duration) {
    let time = libc::timespec {
        tv_sec: libc::time_t::try_from(timeout.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: libc::c_long::from(timeout.subsec_nanos()),
    };
    // SAFETY: futex(2) FUTEX_WAIT on a word that this process owns, with a timeout on the stack. It is
    // not private, because the kernel's own wake (CLONE_CHILD_CLEARTID) is not.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT,
            value,
            &raw const time,
            0usize,
            0,
        )
    };
}

/// Owns a descriptor that was just made under a number of its own.
pub(crate) fn own(descriptor: i32) -> OwnedFd {
    // SAFETY: the callers pass what `fcntl(F_DUPFD_CLOEXEC)` or `F_DUPFD` returned: it is open, and nobody else owns it.
    unsafe { OwnedFd::from_raw_fd(descriptor) }
}

/// The Landlock ABI of the running kernel, landlock_create_ruleset(2).
///
/// # Errors
/// `ENOSYS` when Landlock is not built in, `EOPNOTSUPP` when it is disabled at boot.
pub fn landlock_abi() -> io::Result<i64> {
    landlock_query(1)
}

/// The Landlock errata that the running kernel has fixed, as a bit mask.
///
/// # Errors
/// As [`landlock_abi`]; `EINVAL` on kernels that do not know the question.
pub fn landlock_errata() -> io::Result<i64> {
    landlock_query(2)
}

fn landlock_query(flags: u32) -> io::Result<i64> {
    // SAFETY: with these flags the call takes no attributes: null and zero (landlock_create_ruleset(2)).
    let result = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0usize, 0usize, flags) };
    checked(result)
}

/// Whether this process lets the kernel reap its children, so that their exit status is lost.
pub(crate) fn children_are_ignored() -> bool {
    // SAFETY: `sigaction` is plain data, for which all-zero bytes are a value.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: a query: no new action, and a local of the right type for the present one.
    let result = unsafe { libc::sigaction(libc::SIGCHLD, std::ptr::null(), &mut action) };
    result == 0
        && (action.sa_sigaction == libc::SIG_IGN || action.sa_flags & libc::SA_NOCLDWAIT != 0)
}

/// Gives SIGCHLD its default disposition, so that the exit status of children is kept. For programs
/// that own their process, such as a command; a library leaves the dispositions of its host alone.
///
/// # Errors
/// The errno of `sigaction`.
pub fn keep_children() -> io::Result<()> {
    // SAFETY: the default disposition runs no code, so it is sound in any state of the process.
    let previous = unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    if previous == libc::SIG_ERR { Err(io::Error::last_os_error()) } else { Ok(()) }
}
