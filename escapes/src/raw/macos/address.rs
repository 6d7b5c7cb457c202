//! macOS. Waiting at an address for others who have mapped the same file, and waking who waits there.

use std::ffi::c_void;
use std::io;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// `UL_COMPARE_AND_WAIT_SHARED` of sys/ulock.h: the place is that in the file and not in this process.
const SHARED: u32 = 3;

/// Sleeps at a word that has this value until it is woken there.
///
/// # Errors
/// The errno of the call, `ETIMEDOUT` after the limit.
pub fn wait(word: &AtomicU32, value: u32, limit: Duration) -> io::Result<()> {
    let limit = u32::try_from(limit.as_micros()).map_err(io::Error::other)?;
    // SAFETY: the word is mapped for as long as it is borrowed; the call reads it.
    let result = unsafe { __ulock_wait(SHARED, word.as_ptr().cast(), value.into(), limit) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Wakes one who sleeps at a word, and says whether there was one.
///
/// # Errors
/// The errno of the call.
pub fn wake(word: &AtomicU32) -> io::Result<bool> {
    // SAFETY: the word is mapped for as long as it is borrowed; the call only looks up what is mapped.
    if unsafe { __ulock_wake(SHARED, word.as_ptr().cast(), 0) } >= 0 {
        return Ok(true);
    }
    match io::Error::last_os_error() {
        nobody if nobody.raw_os_error() == Some(libc::ENOENT) => Ok(false),
        error => Err(error),
    }
}

// bsd/sys/ulock.h of XNU; what `os_sync_wait_on_address(3)` of later systems is made of.
unsafe extern "C" {
    fn __ulock_wait(operation: u32, address: *mut c_void, value: u64, microseconds: u32) -> i32;
    fn __ulock_wake(operation: u32, address: *mut c_void, value: u64) -> i32;
}
