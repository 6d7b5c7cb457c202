//! Linux. The only unsafe code of the catalogue: calls that no safe library offers, because honest
//! programs have no use for them.
#![expect(unsafe_code, reason = "escapes make system calls that no safe library wraps")]

pub mod code;
#[cfg(target_arch = "x86_64")]
pub mod interrupt;
pub mod streams;

pub use crate::raw_posix::{
    Segment, adopt, borrow, fork, inherited, leave, map_read_only, map_words, write_through_map,
};
use std::io;
use std::os::fd::OwnedFd;
use std::ptr;

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

/// Clones with the flags given, to which `CLONE_VM` and `CLONE_VFORK` belong: the new process runs
/// `life` in this one's memory and ends with its answer as exit code, and only then does this one go on.
///
/// # Errors
/// The errno of clone(2).
pub fn clone_shared(flags: i32, mut life: &mut dyn FnMut() -> i32) -> io::Result<i32> {
    let mut stack = vec![0_u128; 1 << 16];
    let top = stack.as_mut_ptr_range().end.cast();
    let argument = (&raw mut life).cast();
    // SAFETY: the stack and the closure live until this call returns, which is after the new process
    // has ended, for `CLONE_VFORK` suspends this one; so nothing uses the shared memory at once.
    let process = unsafe { libc::clone(begin, top, flags, argument) };
    if process == -1 { Err(io::Error::last_os_error()) } else { Ok(process) }
}

/// The first function of a process that [`clone_shared`] makes.
extern "C" fn begin(life: *mut libc::c_void) -> i32 {
    // SAFETY: `clone_shared` passes the address of its own variable of this type, which outlives us.
    let life = unsafe { &mut *life.cast::<&mut dyn FnMut() -> i32>() };
    life()
}

/// Makes a system call that answers with a new descriptor, and owns it.
///
/// # Errors
/// The errno of the call.
pub fn descriptor(number: i64, arguments: [usize; 6]) -> io::Result<OwnedFd> {
    let descriptor = call(number, arguments)?;
    let descriptor = i32::try_from(descriptor).map_err(io::Error::other)?;
    Ok(adopt(descriptor))
}

/// The strings that the kernel laid on the stack when this program began: its arguments and its
/// environment, each ended by a zero byte. They lie between the random bytes and the program's name,
/// whose places getauxval(3) tells, and stay there when a variable is unset.
///
/// # Errors
/// `ENOENT` when the kernel did not tell the places.
pub fn initial_strings() -> io::Result<Vec<u8>> {
    const RANDOM_BYTES: u64 = 16;
    // SAFETY: the call takes any number and reads only what the kernel passed to this program.
    let random = unsafe { libc::getauxval(libc::AT_RANDOM) };
    // SAFETY: as above.
    let name = unsafe { libc::getauxval(libc::AT_EXECFN) };
    let start = random.saturating_add(RANDOM_BYTES);
    if random == 0 || name < start {
        return Err(io::Error::from_raw_os_error(libc::ENOENT));
    }
    let length = usize::try_from(name - start).map_err(io::Error::other)?;
    let start = ptr::with_exposed_provenance::<u8>(start as usize);
    // SAFETY: both places lie in the strings' part of the stack, which is mapped as a whole and which
    // nobody writes in this single-threaded program.
    Ok(unsafe { std::slice::from_raw_parts(start, length) }.to_vec())
}

/// Takes a signal by a handler that does nothing, with these flags of sigaction(2), so that it
/// interrupts calls and ends nobody.
///
/// # Errors
/// The errno of sigaction(2).
pub fn ignore_by_handler(signal: i32, flags: i32) -> io::Result<()> {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    extern "C" fn nothing(_signal: i32) {}
    let flags = SaFlags::from_bits_truncate(flags);
    let action = SigAction::new(SigHandler::Handler(nothing), flags, SigSet::empty());
    // SAFETY: the handler touches nothing, so it may run at any moment and in any thread.
    unsafe { sigaction(Signal::try_from(signal)?, &action) }?;
    Ok(())
}
