//! The flags of an inode outside, as chattr sets them. An open file is enough, even one that was
//! opened to be read: the right to device ioctls does not speak of regular files.

use super::effect::done;
use crate::raw;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{CWD, IFlags, ioctl_setflags};
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;

const FLAGS: Escape = Escape {
    techniques: &["FW-IOCFLAGS"],
    references: &["https://man7.org/linux/man-pages/man2/FS_IOC_SETFLAGS.2const.html"],
    ..Escape::BLANK
};

/// Linux 6.17; libc does not know the number yet.
const FILE_SETATTR: i64 = 469;

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/ioctl-flags",
        summary: "Set an inode flag of a file outside that was opened for reading",
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["landlock/read-file", "seccomp/ioctl"],
        native: Some(|scene| {
            done(ioctl_setflags(File::open(scene.path("writable")?)?, IFlags::NODUMP))
        }),
        ..FLAGS
    },
    Escape {
        id: "fs-write/ioctl-flags.path",
        summary: "Set an inode flag of a file outside by file_setattr, which opens nothing",
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["seccomp/file_setattr"],
        native: Some(by_path),
        ..FLAGS
    },
];

fn by_path(scene: &Scene) -> io::Result<Vec<u8>> {
    const NODUMP: u64 = 0x80;
    let path = CString::new(scene.clue("writable")?.as_bytes())?;
    // `struct file_attr`: the flags, then four 32-bit fields.
    let attributes = [NODUMP, 0, 0];
    let (place, size) = (attributes.as_ptr() as usize, size_of_val(&attributes));
    let (directory, path) = (CWD.as_raw_fd() as usize, path.as_ptr() as usize);
    done(raw::call(FILE_SETATTR, [directory, path, place, size, 0, 0]))
}
