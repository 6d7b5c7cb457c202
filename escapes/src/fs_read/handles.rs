//! File handles: taken for a path, and opened.

use crate::raw;
use harness::scene::Scene;
use rustix::fs::{CWD, OFlags};
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

/// `struct file_handle` of name_to_handle_at(2): length and type, then the handle itself.
const HEADER: usize = 8;

/// Opens by its handle what a clue names.
///
/// # Errors
/// The errno of `name_to_handle_at` or `open_by_handle_at`.
pub(crate) fn again(scene: &Scene, clue: &str, flags: OFlags) -> io::Result<OwnedFd> {
    let path = CString::new(scene.path(clue)?.as_os_str().as_bytes())?;
    let mut handle = [0_u8; HEADER + 128];
    handle[..4].copy_from_slice(&128_u32.to_ne_bytes());
    let mut mount = 0_i32;
    raw::call(
        libc::SYS_name_to_handle_at,
        [
            CWD.as_raw_fd() as usize,
            path.as_ptr() as usize,
            handle.as_mut_ptr() as usize,
            &raw mut mount as usize,
            0,
            0,
        ],
    )?;
    open(scene, &handle, flags)
}

/// Any descriptor on the file system serves as its mount: the run directory is at hand.
///
/// # Errors
/// The errno of `open_by_handle_at`.
pub(super) fn open(scene: &Scene, handle: &[u8], flags: OFlags) -> io::Result<OwnedFd> {
    let mount = File::open(scene.run())?;
    let flags = flags.bits() as usize;
    let arguments = [mount.as_raw_fd() as usize, handle.as_ptr() as usize, flags, 0, 0, 0];
    raw::descriptor(libc::SYS_open_by_handle_at, arguments)
}
