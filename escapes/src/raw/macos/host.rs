//! macOS. Calls that tell of a process or of the whole host, and ask nobody.

use std::io;
use std::mem::MaybeUninit;

/// What the kernel tells of a process, proc_pidinfo of libproc.h: nothing is made of it.
///
/// # Errors
/// The errno of the call.
pub fn process_state(pid: i32) -> io::Result<()> {
    let mut state = [0_u64; 64];
    let length = i32::try_from(size_of_val(&state)).map_err(io::Error::other)?;
    let (kind, place) = (libc::PROC_PIDTBSDINFO, state.as_mut_ptr().cast());
    // SAFETY: the place is as large as its length says, and nobody reads what is written there.
    let written = unsafe { libc::proc_pidinfo(pid, kind, 0, place, length) };
    if written <= 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// What the kernel tells of the signature of a process's code, csops(2) of sys/codesign.h.
///
/// # Errors
/// The errno of the call.
pub fn code_state(pid: i32) -> io::Result<u32> {
    /// `CS_OPS_STATUS`.
    const STATUS: u32 = 0;
    let mut state = 0_u32;
    // SAFETY: the place has the four bytes that are written.
    let result = unsafe { csops(pid, STATUS, (&raw mut state).cast(), size_of::<u32>()) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(state) }
}

// sys/codesign.h.
unsafe extern "C" {
    fn csops(pid: i32, operation: u32, place: *mut libc::c_void, length: usize) -> i32;
}

/// The identity of the hardware, gethostuuid(2).
///
/// # Errors
/// The errno of the call.
pub fn hardware() -> io::Result<[u8; 16]> {
    let mut identity = [0_u8; 16];
    let patience = libc::timespec { tv_sec: 1, tv_nsec: 0 };
    // SAFETY: the identity has the sixteen bytes that are written; the time is read.
    let result = unsafe { libc::gethostuuid(identity.as_mut_ptr(), &patience) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(identity) }
}

/// Where file systems are mounted, getfsstat(2), without waiting for any.
///
/// # Errors
/// The errno of the call.
pub fn file_systems() -> io::Result<Vec<String>> {
    let mut room = vec![MaybeUninit::<libc::statfs>::zeroed(); 64];
    let length = i32::try_from(size_of_val(room.as_slice())).map_err(io::Error::other)?;
    // SAFETY: the buffer is as long as its length says, and its bytes may be anything.
    let count = unsafe { libc::getfsstat(room.as_mut_ptr().cast(), length, libc::MNT_NOWAIT) };
    let count = usize::try_from(count).map_err(|_negative| io::Error::last_os_error())?;
    let place = |entry: &MaybeUninit<libc::statfs>| {
        // SAFETY: the structure holds numbers and text alone, and all its bytes were set to zero before.
        let entry = unsafe { entry.assume_init_ref() };
        let bytes = entry.f_mntonname.map(i8::cast_unsigned);
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    };
    Ok(room.iter().take(count).map(place).collect())
}
