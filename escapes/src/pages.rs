//! Linux. Files whose pages tell something: those that come from a disk.

use rustix::io::Errno;
use std::fs::File;
use std::io;
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
