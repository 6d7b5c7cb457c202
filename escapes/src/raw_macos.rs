//! macOS. The only unsafe code of its escapes, and the programs of the system that they start.
#![expect(unsafe_code, reason = "escapes make calls that no safe library wraps")]

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{BorrowedFd, RawFd};
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

/// A descriptor that this program was told of and may or may not hold.
pub fn borrow(number: RawFd) -> BorrowedFd<'static> {
    // SAFETY: it is only given to calls that answer `EBADF` where it is not open, and nobody closes it.
    unsafe { BorrowedFd::borrow_raw(number) }
}
