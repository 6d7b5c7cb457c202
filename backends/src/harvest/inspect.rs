//! Linux. What a file must be to leave: decided from the open descriptor, not from its name.

use super::{HarvestLimits, Why};
use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, Stat, openat2};
use rustix::io::Errno;
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// A file up to this size is no bomb, however it is stored.
const SMALL: u64 = 1 << 20;
/// How many times larger than what is stored of it a file may be.
const SPARSE: u64 = 16;

/// Opens one entry through no link and into no other file system, waiting for nobody.
pub(super) fn beneath(parent: impl AsFd, name: &CStr, flags: OFlags) -> Result<OwnedFd, Errno> {
    let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH
        | ResolveFlags::NO_SYMLINKS
        | ResolveFlags::NO_MAGICLINKS
        | ResolveFlags::NO_XDEV;
    openat2(parent, name, flags, Mode::empty(), resolve)
}

/// What an open file must be: decided from the descriptor, not from the name.
pub(super) fn inspect(stat: &Stat, limits: &HarvestLimits) -> Result<(), Why> {
    let size = size_of(stat);
    if !FileType::from_raw_mode(stat.st_mode).is_file() {
        return Err(Why::NotAFile);
    }
    if stat.st_nlink != 1 {
        return Err(Why::HardLink(stat.st_nlink));
    }
    if stat.st_mode & (libc::S_ISUID | libc::S_ISGID) != 0 {
        return Err(Why::SetId(stat.st_mode & 0o7777));
    }
    if size > limits.file_bytes {
        return Err(Why::TooLarge { size, most: limits.file_bytes });
    }
    // stat(2): blocks are of 512 bytes, whatever the file system's are.
    let stored = u64::try_from(stat.st_blocks).unwrap_or(0).saturating_mul(512);
    if size > SMALL && stored.saturating_mul(SPARSE) < size {
        return Err(Why::Sparse { size, stored });
    }
    Ok(())
}

pub(super) fn size_of(stat: &Stat) -> u64 {
    u64::try_from(stat.st_size).unwrap_or(u64::MAX)
}

pub(super) fn refused_open(errno: Errno) -> Why {
    match errno {
        Errno::LOOP => Why::Link,
        Errno::XDEV => Why::Mount,
        other => unreadable("openat2", other),
    }
}

pub(super) fn unreadable(call: &'static str, errno: Errno) -> Why {
    Why::Unreadable { call, message: io::Error::from(errno).to_string() }
}

#[cfg(test)]
mod tests;
