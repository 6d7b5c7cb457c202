//! macOS. Calls of the parent side that no safe library wraps, and the queue of kernel events in which
//! the end of a program is seen.

use nix::errno::Errno;
use nix::sys::event::{EvFlags, EventFilter, FilterFlag, KEvent, Kqueue};
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
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
        // SAFETY: both pointers are to locals of the right types.
        let result = unsafe { libc::wait4(pid, &mut status, 0, &mut usage) };
        if result >= 0 {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let cpu = duration(usage.ru_utime) + duration(usage.ru_stime);
    // In bytes here, where Linux counts kilobytes: getrusage(2).
    let peak_memory = u64::try_from(usage.ru_maxrss).unwrap_or(0);
    Ok(Reaped { status, cpu, peak_memory })
}

/// The call by which [`kill_child`] kills.
pub(crate) const KILL: &str = "kill";

/// Kills a child that is not reaped yet, so that its number belongs to nobody else. One that is dead
/// already is no error.
///
/// # Errors
/// The errno of `kill`.
pub(crate) fn kill_child(_events: impl AsFd, pid: i32) -> io::Result<()> {
    match nix::sys::signal::kill(Pid::from_raw(pid), Signal::SIGKILL) {
        Ok(()) | Err(Errno::ESRCH) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// A queue that holds an event from when the child with this pid executes (if `execution`) or ends.
///
/// # Errors
/// The errno of `kqueue` or `kevent`.
pub(crate) fn watch(pid: i32, execution: bool) -> io::Result<Kqueue> {
    let mut notes = FilterFlag::NOTE_EXIT;
    if execution {
        notes |= FilterFlag::NOTE_EXEC;
    }
    let queue = Kqueue::new()?;
    let process = usize::try_from(pid).map_err(|_negative| io::ErrorKind::InvalidInput)?;
    let event = KEvent::new(process, EventFilter::EVFILT_PROC, EvFlags::EV_ADD, notes, 0, 0);
    queue.kevent(&[event], &mut [], None)?;
    Ok(queue)
}

/// The same queue, which from now on notes nothing but the end.
///
/// # Errors
/// `ESRCH` when the child has ended and the queue has said so; else the errno of `kevent`.
pub(crate) fn watch_end(queue: Kqueue, pid: i32) -> io::Result<OwnedFd> {
    let process = usize::try_from(pid).map_err(|_negative| io::ErrorKind::InvalidInput)?;
    let notes = FilterFlag::NOTE_EXIT;
    let event = KEvent::new(process, EventFilter::EVFILT_PROC, EvFlags::EV_ADD, notes, 0, 0);
    queue.kevent(&[event], &mut [], None)?;
    Ok(queue.into())
}

/// What a queue saw of a child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Noted {
    /// It became another image.
    pub(crate) executed: bool,
    /// It ended.
    pub(crate) ended: bool,
}

/// Waits for what the queue of [`watch`] notes, for as long as `timeout`.
///
/// # Errors
/// The errno of `kevent`.
pub(crate) fn noted(queue: &Kqueue, timeout: Duration) -> io::Result<Noted> {
    let empty =
        KEvent::new(0, EventFilter::EVFILT_PROC, EvFlags::empty(), FilterFlag::empty(), 0, 0);
    let mut events = [empty];
    let time = libc::timespec {
        tv_sec: libc::time_t::try_from(timeout.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: libc::c_long::from(timeout.subsec_nanos()),
    };
    let count = match queue.kevent(&[], &mut events, Some(time)) {
        Ok(count) => count,
        Err(Errno::EINTR) => 0,
        Err(errno) => return Err(errno.into()),
    };
    let notes = if count == 0 { FilterFlag::empty() } else { events[0].fflags() };
    Ok(Noted {
        executed: notes.contains(FilterFlag::NOTE_EXEC),
        ended: notes.contains(FilterFlag::NOTE_EXIT),
    })
}

/// The path of the image that a living process runs; none when it has ended.
pub(crate) fn image(pid: i32) -> Option<PathBuf> {
    let mut path = vec![0_u8; libc::PROC_PIDPATHINFO_MAXSIZE as usize];
    let size = u32::try_from(path.len()).unwrap_or(0);
    // SAFETY: the buffer is as large as its size says, and the call fills no more.
    let length = unsafe { libc::proc_pidpath(pid, path.as_mut_ptr().cast(), size) };
    path.truncate(usize::try_from(length).ok().filter(|length| *length > 0)?);
    Some(PathBuf::from(OsString::from_vec(path)))
}

/// Owns a descriptor that was just made under a number of its own.
pub(crate) fn own(descriptor: i32) -> OwnedFd {
    // SAFETY: the callers pass what `fcntl(F_DUPFD_CLOEXEC)` returned: it is open, and nobody else owns it.
    unsafe { OwnedFd::from_raw_fd(descriptor) }
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
/// The errno of `signal`.
pub fn keep_children() -> io::Result<()> {
    // SAFETY: the default disposition runs no code, so it is sound in any state of the process.
    let previous = unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    if previous == libc::SIG_ERR { Err(io::Error::last_os_error()) } else { Ok(()) }
}
