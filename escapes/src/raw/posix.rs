//! What every Unix has and no safe library offers as it is needed here: a fork that goes on in this
//! program, descriptors known by their numbers alone, memory that others change.
#![expect(unsafe_code, reason = "escapes make calls that no safe library wraps")]

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::atomic::AtomicU32;

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

/// Loads a shared object, which runs its initialiser, and leaves it loaded.
///
/// # Errors
/// What dlerror(3) says.
pub fn load_library(path: &std::ffi::CStr) -> io::Result<()> {
    // SAFETY: the path is a C string, and the initialiser is a function that returns.
    if unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) }.is_null() {
        // SAFETY: the call has no precondition.
        let text = unsafe { libc::dlerror() };
        if text.is_null() {
            return Err(io::Error::other("dlopen failed and does not say why"));
        }
        // SAFETY: dlerror gave a C string, which stays until the next call of the family.
        let text = unsafe { std::ffi::CStr::from_ptr(text) };
        return Err(io::Error::other(text.to_string_lossy()));
    }
    Ok(())
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
    // SAFETY: F_GETFD takes no third argument and asks for a number only, whatever it leads to.
    if unsafe { libc::fcntl(descriptor, libc::F_GETFD) } == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(adopt(descriptor))
}

/// A descriptor that this program was told of and may or may not hold. Who uses it is told so.
pub fn borrow(number: RawFd) -> BorrowedFd<'static> {
    // SAFETY: it is only given to calls that answer `EBADF` where it is not open, and nobody closes it.
    unsafe { BorrowedFd::borrow_raw(number) }
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
