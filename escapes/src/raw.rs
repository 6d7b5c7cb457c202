//! Linux. The only unsafe code of the catalogue: calls that no safe library offers, because honest
//! programs have no use for them.
#![expect(unsafe_code, reason = "escapes make system calls that no safe library wraps")]

use std::io;

/// Makes a system call by number. Arguments that are pointers must stay valid for the call; the
/// callers keep the pointed-to values on their stack.
///
/// # Errors
/// The errno of the call.
pub fn call(number: i64, arguments: [usize; 6]) -> io::Result<i64> {
    let [first, second, third, fourth, fifth, sixth] = arguments;
    // SAFETY: the kernel checks every argument; pointers, where the number takes any, point to values
    // that outlive this call, as the caller guarantees. The call neither unwinds nor returns twice,
    // for `fork` has its own function.
    let result = unsafe { libc::syscall(number, first, second, third, fourth, fifth, sixth) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Forks by `fork(2)` as libc does it. Returns 0 in the new process, which must end by [`leave`].
///
/// # Errors
/// The errno of the call.
pub fn fork() -> io::Result<i32> {
    // SAFETY: the stage is single-threaded when an attempt begins, so the new process may go on in
    // this program.
    let pid = unsafe { libc::fork() };
    if pid == -1 { Err(io::Error::last_os_error()) } else { Ok(pid) }
}

/// Ends this process at once, without destructors: the end of a forked one.
pub fn leave(code: i32) -> ! {
    // SAFETY: `_exit` takes any code and does not return.
    unsafe { libc::_exit(code) }
}
