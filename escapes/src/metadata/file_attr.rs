//! The flags of an inode, which lsattr shows: once behind an ioctl on an open file, since Linux 6.17
//! by a call on a path that needs no open file.

use super::decoy::{Spelled, spell_bits};
use crate::raw;
use harness::escape::{Escape, Layer};
use rustix::fs::{CWD, IFlags, ioctl_getflags};
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// libc does not know the number yet.
const FILE_GETATTR: i64 = 468;

const ATTRIBUTES: Escape =
    Escape { techniques: &["FM-FILEATTR"], decoys: &[&Spelled::Flags], ..Escape::BLANK };

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/file-attr",
        techniques: &["FM-FILEATTR", "SC-NEWSYSCALL"],
        summary: "Learn the inode flags of files outside by file_getattr",
        references: &["https://git.kernel.org/torvalds/c/57fcb7d930d8f00f383e995aeebdcd2b416a187a"],
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["seccomp/file_getattr"],
        native: Some(|scene| spell_bits(scene, get)),
        ..ATTRIBUTES
    },
    Escape {
        id: "metadata/file-attr.ioctl",
        summary: "Learn the inode flags of files outside by ioctl",
        references: &["https://man7.org/linux/man-pages/man2/FS_IOC_SETFLAGS.2const.html"],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["landlock/read-file", "seccomp/ioctl"],
        native: Some(|scene| {
            spell_bits(
                scene,
                |path| Ok(ioctl_getflags(File::open(path)?)?.contains(IFlags::NODUMP)),
            )
        }),
        ..ATTRIBUTES
    },
];

fn get(path: &Path) -> io::Result<bool> {
    const NODUMP: u64 = 0x80;
    let path = CString::new(path.as_os_str().as_bytes())?;
    // `struct file_attr`: the flags, then four 32-bit fields.
    let mut attributes = [0_u64; 3];
    let (place, size) = (attributes.as_mut_ptr() as usize, size_of_val(&attributes));
    let arguments = [CWD.as_raw_fd() as usize, path.as_ptr() as usize, place, size, 0, 0];
    raw::call(FILE_GETATTR, arguments)?;
    Ok(attributes[0] & NODUMP != 0)
}
