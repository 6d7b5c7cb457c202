//! Asking the kernel for the handle of a file: nobody needs a right for it, and the answer holds the
//! inode number and tells that the file is there.

use super::decoy::{Spelled, exists, spell_bits};
use crate::raw;
use harness::escape::{Escape, Layer};
use rustix::fs::CWD;
use std::ffi::CString;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "metadata/name-to-handle",
    summary: "Learn by name_to_handle_at which paths outside exist",
    techniques: &["FR-OPENBYHANDLE"],
    references: &["https://man7.org/linux/man-pages/man2/open_by_handle_at.2.html"],
    decoys: &[&Spelled::Existence],
    stops: &[Layer::Seccomp, Layer::MountNamespace],
    witnesses: &["seccomp/name_to_handle_at"],
    native: Some(|scene| spell_bits(scene, |path| exists(handle(path)))),
    ..Escape::BLANK
}];

fn handle(path: &Path) -> io::Result<i64> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // `struct file_handle`: room for the handle, then its type and bytes.
    let mut handle = [128_u32; 34];
    let mut mount = 0_i32;
    let (handle, mount) = (handle.as_mut_ptr() as usize, &raw mut mount as usize);
    let arguments = [CWD.as_raw_fd() as usize, path.as_ptr() as usize, handle, mount, 0, 0];
    raw::call(libc::SYS_name_to_handle_at, arguments)
}
