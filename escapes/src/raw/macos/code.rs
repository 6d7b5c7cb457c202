//! macOS. Machine code that the program carries: in fresh memory, in a signed file, in a library.

use std::ffi::{CStr, OsStr, c_void};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::ptr;

/// Runs machine code that is a function without arguments, copied to memory that a compiler at run time would
/// take (`MAP_JIT`): on Arm it is writable or executable, thread by thread, and never both.
///
/// # Errors
/// The errno of mmap(2).
pub fn run(code: &[u8]) -> io::Result<()> {
    let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_JIT;
    // SAFETY: a null hint lets the kernel choose an unused place, so no live memory is replaced.
    let start = unsafe { libc::mmap(ptr::null_mut(), code.len(), protection, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call has no precondition; the thread runs nothing from such memory now.
    unsafe { libc::pthread_jit_write_protect_np(0) };
    // SAFETY: the new map is writable and as long as the code, which lies elsewhere.
    unsafe { ptr::copy_nonoverlapping(code.as_ptr(), start.cast(), code.len()) };
    // SAFETY: as above.
    unsafe { libc::pthread_jit_write_protect_np(1) };
    // SAFETY: the range is that of the new map.
    unsafe { sys_icache_invalidate(start, code.len()) };
    // SAFETY: the map is executable and holds a function without arguments from its start.
    let function: extern "C" fn() = unsafe { std::mem::transmute(start) };
    function();
    // SAFETY: the range is that of the map, to which nothing refers any more.
    unsafe { libc::munmap(start, code.len()) };
    Ok(())
}

/// Where machine code lies in a file that is signed.
#[derive(Clone, Copy, Debug)]
pub struct Signed {
    /// How much of the file is mapped, from its start: whole pages.
    pub length: usize,
    /// Where in it a function without arguments begins.
    pub code: usize,
    /// Where the signature begins.
    pub signature: usize,
    /// Bytes of the signature.
    pub signed: usize,
}

/// Runs the machine code of a signed file, mapped executable, after the kernel was shown the signature as
/// the loader shows it.
///
/// # Errors
/// The errno of the call that was refused.
pub fn run_file(file: &File, place: Signed) -> io::Result<()> {
    /// Of sys/fcntl.h: takes a `struct fsignatures`, and answers in it.
    const F_ADDFILESIGS_RETURN: i32 = 97;
    // Where the file begins; where in it the signature does; its length; room for the rest.
    let mut signature = [0, place.signature, place.signed, 0, 0, 0, 0, 0];
    let (number, words) = (file.as_raw_fd(), signature.as_mut_ptr());
    // SAFETY: the command reads and writes no more than the structure, which is shorter than these words.
    if unsafe { libc::fcntl(number, F_ADDFILESIGS_RETURN, words) } == -1 {
        return Err(io::Error::last_os_error());
    }
    Text::map(file, place.length)?.enter(place.code);
    Ok(())
}

/// Loads a library, which runs its initialiser, and leaves it loaded.
///
/// # Errors
/// The errno of mmap(2) where the file may not be mapped executable, for the words of the loader carry none;
/// else what dlerror(3) says.
pub fn load_library(path: &CStr) -> io::Result<()> {
    crate::raw_posix::load_library(path).or_else(|said| {
        let file = File::open(OsStr::from_bytes(path.to_bytes()))?;
        let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        Text::map(&file, length)?;
        Err(said)
    })
}

/// A private and executable map of a file from its beginning, until it is dropped.
#[derive(Debug)]
struct Text {
    start: *mut c_void,
    length: usize,
}

impl Text {
    fn map(file: &File, length: usize) -> io::Result<Self> {
        let executable = libc::PROT_READ | libc::PROT_EXEC;
        let (flags, number) = (libc::MAP_PRIVATE, file.as_raw_fd());
        // SAFETY: a null hint lets the kernel choose an unused place, so no live memory is replaced.
        let start = unsafe { libc::mmap(ptr::null_mut(), length, executable, flags, number, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { start, length })
    }

    /// Calls what the map holds there.
    fn enter(&self, code: usize) {
        let code = self.start.wrapping_byte_add(code);
        // SAFETY: the map is executable, and whoever mapped it put a function without arguments there.
        let function: extern "C" fn() = unsafe { std::mem::transmute(code) };
        function();
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        // SAFETY: the range is that of the map, to which nothing refers any more.
        unsafe { libc::munmap(self.start, self.length) };
    }
}

// libkern/OSCacheControl.h.
unsafe extern "C" {
    fn sys_icache_invalidate(start: *mut c_void, length: usize);
}
