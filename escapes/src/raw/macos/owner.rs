//! macOS. Whom the kernel signals when something happens on a descriptor.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

fn answer(result: i32) -> io::Result<()> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Makes a process, or by a negative number a group, the owner of a socket or pipe, fcntl(2).
///
/// # Errors
/// The errno of the call.
pub fn set(descriptor: BorrowedFd<'_>, owner: i32) -> io::Result<()> {
    // SAFETY: the third argument of this command is a number.
    answer(unsafe { libc::fcntl(descriptor.as_raw_fd(), libc::F_SETOWN, owner) })
}

/// The same by a request of ioctl(2) that reads an int.
///
/// # Errors
/// The errno of the call.
pub fn set_by_request(descriptor: BorrowedFd<'_>, owner: i32, request: usize) -> io::Result<()> {
    let (number, request) = (descriptor.as_raw_fd(), request as libc::c_ulong);
    // SAFETY: the request reads an int, which outlives the call.
    answer(unsafe { libc::ioctl(number, request, &raw const owner) })
}

/// Has the owner signalled when there is something to read, by a status flag.
///
/// # Errors
/// The errno of fcntl(2).
pub fn ask_for_signals(descriptor: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: the third argument of this command is a number.
    answer(unsafe { libc::fcntl(descriptor.as_raw_fd(), libc::F_SETFL, libc::O_ASYNC) })
}
