//! Linux. Files whose pages tell something: those that come from a disk.

use crate::raw;
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

/// Opens a file for reading. One that has no place but memory, or lies in layers of file systems, tells
/// nothing by its pages: `EOPNOTSUPP`.
pub(crate) fn on_disk(path: &Path) -> io::Result<File> {
    /// `linux/magic.h`.
    const TMPFS_MAGIC: i64 = 0x0102_1994;
    const OVERLAYFS_SUPER_MAGIC: i64 = 0x794c_7630;
    let file = File::open(path)?;
    let kind = rustix::fs::fstatfs(&file)?.f_type;
    if [TMPFS_MAGIC, OVERLAYFS_SUPER_MAGIC].contains(&kind) {
        return Err(Errno::OPNOTSUPP.into());
    }
    Ok(file)
}

/// How many pages of a stretch of a file lie in memory, by cachestat(2) (Linux 6.5), which has none fetched.
pub(crate) fn in_memory(file: &File, offset: usize, length: usize) -> io::Result<u64> {
    /// The same number on every architecture.
    const CACHESTAT: i64 = 451;
    // `struct cachestat_range`; and `struct cachestat`: pages in memory, and four counts of other states.
    let range = [offset as u64, length as u64];
    let mut counts = [0_u64; 5];
    let (range, told) = (range.as_ptr() as usize, counts.as_mut_ptr() as usize);
    raw::call(CACHESTAT, [file.as_raw_fd() as usize, range, told, 0, 0, 0])?;
    Ok(counts[0])
}
