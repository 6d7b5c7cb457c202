//! macOS. The clean stage of a launch: a forked child, which has one thread, gives itself limits, a
//! session, the run directory and three streams, and becomes the first image with every other
//! descriptor closed. Everything that it needs is built before it exists.
//!
//! It is forked, not spawned, because only a process itself can set its limits here. The first image is
//! left suspended (`POSIX_SPAWN_START_SUSPENDED`), so that the parent can watch for the *next* execution,
//! which is the program's own: what `sandbox-exec` says of itself and what the program says cannot be
//! confused.

use std::ffi::{CString, c_char, c_short};
use std::io;
use std::os::fd::RawFd;

/// A resource limit: the number of the resource, and the value for both its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) resource: i32,
    pub(crate) value: u64,
}

/// What the stage does.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    /// The first image and its arguments: arrays that end in null pointers.
    pub(crate) image: &'a CString,
    pub(crate) arguments: &'a [*const c_char],
    pub(crate) environment: &'a [*const c_char],
    pub(crate) limits: &'a [Limit],
    /// What the three streams are made of: descriptors above 2.
    pub(crate) streams: [RawFd; 3],
    /// The run directory, opened.
    pub(crate) directory: RawFd,
    /// Where the number of a failed step and its errno are written: it closes when the image begins.
    pub(crate) report: RawFd,
    /// Whether every descriptor but the streams is closed, or only those that close themselves.
    pub(crate) close_descriptors: bool,
}

/// The steps, as the report numbers them.
pub(crate) const STEPS: [&str; 5] = ["setsid", "setrlimit", "fchdir", "dup2", "posix_spawn"];

/// The attributes of the first image: built in the parent, because building them allocates.
#[derive(Debug)]
struct Attributes(libc::posix_spawnattr_t);

impl Attributes {
    fn new(close_descriptors: bool) -> io::Result<Self> {
        let mut raw: libc::posix_spawnattr_t = std::ptr::null_mut();
        // SAFETY: the object is a pointer that this call fills; it is destroyed when it is dropped.
        checked(unsafe { libc::posix_spawnattr_init(&mut raw) })?;
        let mut attributes = Self(raw);
        let mut flags = libc::POSIX_SPAWN_SETEXEC
            | libc::POSIX_SPAWN_START_SUSPENDED
            | libc::POSIX_SPAWN_SETSIGDEF
            | libc::POSIX_SPAWN_SETSIGMASK;
        if close_descriptors {
            flags |= libc::POSIX_SPAWN_CLOEXEC_DEFAULT;
        }
        let flags = c_short::try_from(flags).map_err(|_wide| io::ErrorKind::InvalidInput)?;
        // SAFETY: the attributes were initialised above.
        checked(unsafe { libc::posix_spawnattr_setflags(&mut attributes.0, flags) })?;
        let (mut none, mut all): (libc::sigset_t, libc::sigset_t) = (0, 0);
        // SAFETY: a local of the right type.
        checked(unsafe { libc::sigemptyset(&mut none) })?;
        // SAFETY: a local of the right type.
        checked(unsafe { libc::sigfillset(&mut all) })?;
        // SAFETY: the attributes were initialised above; the set is copied.
        checked(unsafe { libc::posix_spawnattr_setsigmask(&mut attributes.0, &none) })?;
        // SAFETY: the attributes were initialised above; the set is copied.
        checked(unsafe { libc::posix_spawnattr_setsigdefault(&mut attributes.0, &all) })?;
        Ok(attributes)
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised by `new`, and destroyed once.
        unsafe { libc::posix_spawnattr_destroy(&mut self.0) };
    }
}

/// What happens to descriptors when the first image begins: the three streams are kept.
#[derive(Debug)]
struct Actions(libc::posix_spawn_file_actions_t);

impl Actions {
    fn new() -> io::Result<Self> {
        let mut raw: libc::posix_spawn_file_actions_t = std::ptr::null_mut();
        // SAFETY: the object is a pointer that this call fills; it is destroyed when it is dropped.
        checked(unsafe { libc::posix_spawn_file_actions_init(&mut raw) })?;
        let mut actions = Self(raw);
        for stream in 0..3 {
            // SAFETY: initialised above. A descriptor that is copied onto itself is inherited even
            // under POSIX_SPAWN_CLOEXEC_DEFAULT: posix_spawn_file_actions_adddup2(3).
            checked(unsafe {
                libc::posix_spawn_file_actions_adddup2(&mut actions.0, stream, stream)
            })?;
        }
        Ok(actions)
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: initialised by `new`, and destroyed once.
        unsafe { libc::posix_spawn_file_actions_destroy(&mut self.0) };
    }
}

/// The posix_spawn family returns an errno, the others -1.
fn checked(result: i32) -> io::Result<()> {
    match result {
        0 => Ok(()),
        -1 => Err(io::Error::last_os_error()),
        errno => Err(io::Error::from_raw_os_error(errno)),
    }
}

/// Forks the stage and returns its pid.
///
/// # Errors
/// The errno of the call that failed in this process.
pub(crate) fn begin(stage: &Stage<'_>) -> io::Result<i32> {
    let attributes = Attributes::new(stage.close_descriptors)?;
    let actions = Actions::new()?;
    // SAFETY: the child calls nothing but system calls that are safe after a fork of a process with
    // several threads (sigaction(2)), on memory that was built before, and never returns from `live`.
    let pid = unsafe { libc::fork() };
    match pid {
        -1 => Err(io::Error::last_os_error()),
        0 => live(stage, &attributes, &actions),
        _ => Ok(pid),
    }
}

/// The life of the child until it is the first image.
fn live(stage: &Stage<'_>, attributes: &Attributes, actions: &Actions) -> ! {
    let (step, errno) = match steps(stage, attributes, actions) {
        Ok(never) => match never {},
        Err(failed) => failed,
    };
    let report = [step, errno];
    // SAFETY: eight bytes of a local, to a pipe that holds them.
    unsafe { libc::write(stage.report, report.as_ptr().cast(), 8) };
    // SAFETY: `_exit` takes any code and does not return.
    unsafe { libc::_exit(127) }
}

/// Takes the steps; returns the number of the one that failed, and its errno.
fn steps(
    stage: &Stage<'_>,
    attributes: &Attributes,
    actions: &Actions,
) -> Result<std::convert::Infallible, (i32, i32)> {
    // SAFETY: no arguments.
    require(0, unsafe { libc::setsid() })?;
    for limit in stage.limits {
        let value = libc::rlimit { rlim_cur: limit.value, rlim_max: limit.value };
        // SAFETY: a local of the right type.
        require(1, unsafe { libc::setrlimit(limit.resource, &value) })?;
    }
    // SAFETY: a descriptor that the parent holds open.
    require(2, unsafe { libc::fchdir(stage.directory) })?;
    for (stream, source) in (0..).zip(stage.streams) {
        // SAFETY: the parent holds the source open, above 2, so that no stream overwrites a source.
        require(3, unsafe { libc::dup2(source, stream) })?;
    }
    let mut pid = 0;
    // SAFETY: all pointers are to objects that the parent built and that this copy of its memory holds;
    // both arrays end in a null pointer. With POSIX_SPAWN_SETEXEC the call returns only when it fails.
    let errno = unsafe {
        libc::posix_spawn(
            &mut pid,
            stage.image.as_ptr(),
            &actions.0,
            &attributes.0,
            stage.arguments.as_ptr().cast(),
            stage.environment.as_ptr().cast(),
        )
    };
    Err((4, errno))
}

fn require(step: i32, result: i32) -> Result<(), (i32, i32)> {
    if result == -1 {
        return Err((step, io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)));
    }
    Ok(())
}
