//! Linux. The only unsafe code of the catalogue: calls that no safe library offers, because honest
//! programs have no use for them.
#![expect(unsafe_code, reason = "escapes make system calls that no safe library wraps")]

pub mod code;
#[cfg(target_arch = "x86_64")]
pub mod interrupt;
pub mod streams;

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::AtomicU32;

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

/// A System V shared memory segment in this process's memory; it is detached when dropped.
#[derive(Debug)]
pub struct Segment {
    start: *mut libc::c_void,
    length: usize,
}

impl Segment {
    /// Attaches the segment with this identifier, of which it takes `length` bytes.
    ///
    /// # Errors
    /// The errno of shmat(2).
    pub fn attach(identifier: i32, length: usize) -> io::Result<Self> {
        // SAFETY: a null address lets the kernel choose an unused place.
        let start = unsafe { libc::shmat(identifier, std::ptr::null(), 0) };
        if start as isize == -1 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { start, length })
    }

    /// The bytes that it holds now.
    pub fn read(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.length];
        // SAFETY: the segment is attached and at least that long; the new vector is elsewhere.
        unsafe {
            std::ptr::copy_nonoverlapping(self.start.cast(), bytes.as_mut_ptr(), bytes.len())
        };
        bytes
    }

    /// Overwrites its beginning.
    pub fn write(&mut self, bytes: &[u8]) {
        let length = bytes.len().min(self.length);
        // SAFETY: the segment is attached for writing and at least that long; `bytes` is elsewhere.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.cast(), length) };
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: the address is the one that shmat gave, and nobody borrows from it.
        unsafe { libc::shmdt(self.start) };
    }
}

// SAFETY: the address is valid in every thread of the process, and only `&mut self` writes there.
unsafe impl Send for Segment {}

/// Makes a system call that answers with a new descriptor, and owns it.
///
/// # Errors
/// The errno of the call.
pub fn descriptor(number: i64, arguments: [usize; 6]) -> io::Result<OwnedFd> {
    let descriptor = call(number, arguments)?;
    let descriptor = i32::try_from(descriptor).map_err(io::Error::other)?;
    Ok(adopt(descriptor))
}

/// Takes over a descriptor that this program has just made by number, as `call` or a ring does.
pub fn adopt(descriptor: i32) -> OwnedFd {
    // SAFETY: the number came from the kernel a moment ago, so it is open and has no other owner here.
    unsafe { OwnedFd::from_raw_fd(descriptor) }
}

/// Takes over a descriptor that the launcher is said to have left open.
///
/// # Errors
/// `EBADF` when it has not.
pub fn inherited(descriptor: i32) -> io::Result<OwnedFd> {
    call(libc::SYS_fcntl, [descriptor as usize, libc::F_GETFD as usize, 0, 0, 0, 0])?;
    Ok(adopt(descriptor))
}

/// Maps `length` bytes of a descriptor from `offset` as words, readable and writable, with the given
/// `MAP_SHARED` or `MAP_PRIVATE` flags. The map lives as long as this process: whoever else writes
/// there (the kernel, another process) is met by atomic words.
///
/// # Errors
/// The errno of mmap(2).
pub fn map_words(
    descriptor: BorrowedFd<'_>,
    offset: i64,
    length: usize,
    flags: i32,
) -> io::Result<&'static [AtomicU32]> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a null hint lets the kernel choose an unused place, so no live memory is replaced.
    let start = unsafe {
        libc::mmap(ptr::null_mut(), length, protection, flags, descriptor.as_raw_fd(), offset)
    };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the map starts on a page, so it is aligned, it is at least `length` bytes long and is
    // never unmapped. Its words are atomic, so writers elsewhere are no data race.
    Ok(unsafe { std::slice::from_raw_parts(start.cast(), length / size_of::<AtomicU32>()) })
}

/// Maps `length` bytes of a file that is open for reading as words that can only be read. The map is shared
/// and lives as long as this process.
///
/// # Errors
/// The errno of mmap(2).
pub fn map_read_only(file: BorrowedFd<'_>, length: usize) -> io::Result<&'static [AtomicU32]> {
    let (descriptor, flags) = (file.as_raw_fd(), libc::MAP_SHARED);
    // SAFETY: a null hint lets the kernel choose an unused place, so no live memory is replaced.
    let start =
        unsafe { libc::mmap(ptr::null_mut(), length, libc::PROT_READ, flags, descriptor, 0) };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the map starts on a page, so it is aligned, it is at least `length` bytes long and is
    // never unmapped. Its words are atomic, so writers elsewhere are no data race; nobody stores here.
    Ok(unsafe { std::slice::from_raw_parts(start.cast(), length / size_of::<AtomicU32>()) })
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

/// Writes `bytes` to the start of a file through a shared mapping, and has them written back.
/// The file must be at least that long and belong to the caller alone.
///
/// # Errors
/// The errno of `mmap`, `msync` or `munmap`.
pub fn write_through_map(file: &std::fs::File, bytes: &[u8]) -> io::Result<()> {
    use rustix::mm::{MapFlags, MsyncFlags, ProtFlags, mmap, msync, munmap};
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a null hint lets the kernel choose a place where nothing of this program lies.
    let map =
        unsafe { mmap(std::ptr::null_mut(), bytes.len(), protection, MapFlags::SHARED, file, 0) }?;
    // SAFETY: the fresh mapping is `bytes.len()` long, writable, known to nobody else, and backed by
    // the file, which is long enough.
    unsafe { map.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    // SAFETY: the range is the mapping that was just made.
    unsafe { msync(map, bytes.len(), MsyncFlags::SYNC) }?;
    // SAFETY: no reference into the mapping is left.
    unsafe { munmap(map, bytes.len()) }?;
    Ok(())
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
