//! macOS. The only unsafe code of its escapes, and the programs of the system that they start.
#![expect(unsafe_code, reason = "escapes make calls that no safe library wraps")]

pub mod address;
pub mod code;
pub mod connection;
pub mod host;
pub mod owner;
pub mod service;
pub mod sysv;
pub mod task;

pub use crate::raw_posix::{
    Segment, adopt, borrow, fork, inherited, leave, map_read_only, map_words, write_through_map,
};
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Starts a program of the system and waits for its success.
///
/// # Errors
/// When it cannot be started, which is what a sandbox denies, or fails.
pub fn helper(
    program: &str,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> io::Result<()> {
    #[expect(clippy::disallowed_methods, reason = "an escape starts it: that is the act")]
    let status = Command::new(program).args(arguments).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{program}: {status}"))) }
}

/// Starts a program of the system and returns what it printed.
///
/// # Errors
/// As [`helper`].
pub fn output_of(
    program: &str,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> io::Result<Vec<u8>> {
    #[expect(clippy::disallowed_methods, reason = "an escape starts it: that is the act")]
    let output = Command::new(program).args(arguments).output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(io::Error::other(format!("{program}: {}", output.status)))
    }
}

/// Forks a process that stays for a while in a session of its own, under this one's arguments.
///
/// # Errors
/// The errno of `fork`.
pub fn fork_and_wait_outside() -> io::Result<()> {
    // SAFETY: the stage is single-threaded when an attempt begins, so the new process may go on in
    // this program.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            // SAFETY: no arguments.
            unsafe { libc::setsid() };
            for stream in 0..3 {
                // SAFETY: a number; the streams of the new process are its own to close.
                unsafe { libc::close(stream) };
            }
            std::thread::sleep(Duration::from_secs(20));
            // SAFETY: `_exit` takes any code and does not return.
            unsafe { libc::_exit(0) }
        }
        _ => Ok(()),
    }
}

/// Clones a file, clonefile(2).
///
/// # Errors
/// The errno of the call.
pub fn clone_file(from: &Path, to: &Path) -> io::Result<()> {
    let from = CString::new(from.as_os_str().as_bytes())?;
    let to = CString::new(to.as_os_str().as_bytes())?;
    // SAFETY: both strings end in a zero byte and outlive the call.
    let result = unsafe { libc::clonefile(from.as_ptr(), to.as_ptr(), 0) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// The arguments and variables of a process, by the variable `kern.procargs2` (sysctl(3)).
///
/// # Errors
/// The errno of the call.
pub fn process_arguments(pid: i32) -> io::Result<Vec<u8>> {
    let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, pid];
    let mut value = vec![0_u8; 1 << 18];
    let mut length = value.len();
    // SAFETY: the name has the length that is given; the buffer is as large as its length says; nothing
    // is written.
    let result = unsafe {
        libc::sysctl(
            name.as_mut_ptr(),
            3,
            value.as_mut_ptr().cast(),
            &mut length,
            std::ptr::null_mut(),
            0,
        )
    };
    if result == -1 {
        return Err(io::Error::last_os_error());
    }
    value.truncate(length);
    Ok(value)
}

/// Gives this process a name that `ps` shows: the marker over the longest argument, for a name of a
/// process is what its argument vector says.
///
/// # Errors
/// `ENAMETOOLONG` where no argument is long enough.
pub fn take_name(name: &CStr) -> io::Result<()> {
    let bytes = name.to_bytes_with_nul();
    // SAFETY: the call has no precondition.
    let count = unsafe { libc::_NSGetArgc() };
    // SAFETY: the C library keeps the number of the arguments for the life of the process.
    let count = unsafe { *count };
    // SAFETY: the call has no precondition.
    let vector = unsafe { libc::_NSGetArgv() };
    // SAFETY: the C library keeps the vector of the arguments for the life of the process.
    let vector = unsafe { *vector };
    for place in 0..usize::try_from(count).unwrap_or(0) {
        // SAFETY: the vector has that many entries.
        let argument = unsafe { vector.add(place) };
        // SAFETY: as above; each entry is a pointer.
        let argument = unsafe { *argument };
        // SAFETY: each is a string that ends in a zero byte and belongs to this process.
        let length = unsafe { CStr::from_ptr(argument) }.to_bytes_with_nul().len();
        if length >= bytes.len() {
            // SAFETY: the argument is writable, that long, and nobody else reads it: this process
            // was forked with one thread.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), argument, bytes.len()) };
            return Ok(());
        }
    }
    Err(io::Error::from_raw_os_error(libc::ENAMETOOLONG))
}

/// Sets the flags of a file (chflags(2)) by its path, or the flags of an open one.
///
/// # Errors
/// The errno of the call.
pub fn change_flags(path: &Path, flags: u32) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the string ends in a zero byte and outlives the call.
    let result = unsafe { libc::chflags(path.as_ptr(), flags) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// As [`change_flags`], of an open file.
///
/// # Errors
/// The errno of the call.
pub fn change_open_flags(descriptor: BorrowedFd<'_>, flags: u32) -> io::Result<()> {
    // SAFETY: the descriptor is borrowed for the call; the flags are a number.
    let result = unsafe { libc::fchflags(descriptor.as_raw_fd(), flags) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Sends a signal to the foreground group of a terminal, by its master.
///
/// # Errors
/// The errno of ioctl(2).
pub fn signal_terminal(master: BorrowedFd<'_>, signal: i32) -> io::Result<()> {
    /// `_IO('t', 95)`, sys/ttycom.h.
    const TIOCSIG: libc::c_ulong = 0x2000_745f;
    // SAFETY: the argument of this request is a number.
    let result = unsafe { libc::ioctl(master.as_raw_fd(), TIOCSIG, signal) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Types one key into the input of a terminal.
///
/// # Errors
/// The errno of ioctl(2).
pub fn type_key(terminal: BorrowedFd<'_>, key: u8) -> io::Result<()> {
    // SAFETY: the request reads one byte, which outlives the call.
    let result = unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCSTI, &raw const key) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Sends the beginning of an open file to a connected socket, sendfile(2), and says how much went.
///
/// # Errors
/// The errno of the call.
pub fn send_file(file: BorrowedFd<'_>, socket: BorrowedFd<'_>, length: usize) -> io::Result<usize> {
    let mut sent = libc::off_t::try_from(length).map_err(io::Error::other)?;
    let (from, to) = (file.as_raw_fd(), socket.as_raw_fd());
    // SAFETY: the length outlives the call; there are no headers.
    let result = unsafe { libc::sendfile(from, to, 0, &mut sent, std::ptr::null_mut(), 0) };
    if result == -1 {
        return Err(io::Error::last_os_error());
    }
    usize::try_from(sent).map_err(io::Error::other)
}

/// Bytes of memory of the host, by the variable `hw.memsize`.
///
/// # Errors
/// The errno of sysctlbyname(3).
pub fn memory_size() -> io::Result<u64> {
    let (mut bytes, mut length) = (0_u64, size_of::<u64>());
    let place = (&raw mut bytes).cast();
    // SAFETY: the name is a C string; the place is as large as its length says; nothing is written.
    let result = unsafe {
        libc::sysctlbyname(c"hw.memsize".as_ptr(), place, &mut length, std::ptr::null_mut(), 0)
    };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(bytes) }
}

/// The strings that the kernel laid on the stack when this program began, as the kernel tells them: its
/// arguments and its environment, each ended by a zero byte.
///
/// # Errors
/// As [`process_arguments`].
pub fn initial_strings() -> io::Result<Vec<u8>> {
    process_arguments(i32::try_from(std::process::id()).map_err(io::Error::other)?)
}

/// The numbers of all processes, by the variable `kern.proc` (sysctl(3)).
///
/// # Errors
/// The errno of the call.
pub fn process_table() -> io::Result<Vec<i32>> {
    /// `struct kinfo_proc` of sys/sysctl.h on 64 bits, and where in it the number stands.
    const ENTRY: usize = 648;
    const NUMBER: usize = 40;
    let mut name = [libc::CTL_KERN, libc::KERN_PROC, libc::KERN_PROC_ALL, 0];
    let mut table = vec![0_u8; 8192 * ENTRY];
    let mut length = table.len();
    // SAFETY: the name has the length that is given; the buffer is as large as its length says; nothing
    // is written.
    let result = unsafe {
        libc::sysctl(
            name.as_mut_ptr(),
            4,
            table.as_mut_ptr().cast(),
            &mut length,
            std::ptr::null_mut(),
            0,
        )
    };
    if result == -1 {
        return Err(io::Error::last_os_error());
    }
    table.truncate(length);
    let number =
        |entry: &[u8]| Some(i32::from_ne_bytes(entry.get(NUMBER..NUMBER + 4)?.try_into().ok()?));
    Ok(table.chunks_exact(ENTRY).filter_map(number).collect())
}
