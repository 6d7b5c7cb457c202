//! macOS. Machine code that the program carries, in fresh memory.

use std::ffi::c_void;
use std::io;
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

// libkern/OSCacheControl.h.
unsafe extern "C" {
    fn sys_icache_invalidate(start: *mut c_void, length: usize);
}
