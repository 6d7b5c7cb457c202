//! Linux. Removes the session roots that dead processes left, and nothing else. A root is dead only if its
//! lock is free *and* its record names a process that has ended; age and clock never decide about a root
//! with a record.

mod remove;

pub use remove::{Removal, remove_contents, remove_tree};

use crate::owner::{Life, Owner, RecordError};
use crate::session::root::{Base, PREFIX, RECORD};
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, flock, openat, statat};
use std::ffi::{CStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::time::{Duration, SystemTime};

/// How long a root without a readable record is left alone: somebody may be making it.
pub const UNREADABLE: Duration = Duration::from_secs(24 * 3600);

/// What became of one root that is not in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swept {
    /// The root's name in the base directory.
    pub root: OsString,
    /// What could not be removed, in words with every odd byte escaped. Empty: the root is gone.
    pub findings: Vec<String>,
}

/// Looks at every session root in the base directory and removes those whose owners have ended.
///
/// # Errors
/// When the base directory cannot be listed. What is wrong with one root is a finding of that root.
pub fn sweep(base: &Base) -> io::Result<Vec<Swept>> {
    let mut swept = Vec::new();
    for entry in rustix::fs::Dir::read_from(base.directory())? {
        let entry = entry?;
        let name = entry.file_name();
        if !name.to_bytes().starts_with(PREFIX.as_bytes()) {
            continue;
        }
        if let Some(findings) = sweep_root(base.directory(), name) {
            swept.push(Swept { root: OsString::from_vec(name.to_bytes().to_vec()), findings });
        }
    }
    Ok(swept)
}

/// Removes one root if it is dead; `None` if it is not, or is no root.
fn sweep_root(base: &OwnedFd, name: &CStr) -> Option<Vec<String>> {
    let root = open_root(base, name)?;
    // Whoever lives holds this lock. From here on no other sweep touches the root.
    flock(&root, FlockOperation::NonBlockingLockExclusive).ok()?;
    let changed = rustix::fs::fstat(&root).ok()?.st_ctime;
    let record = Owner::read(root.as_fd(), RECORD);
    if !names_still(base, name, &root) || !is_dead(&record, changed, SystemTime::now()) {
        return None;
    }
    let mut removal = remove_contents(&root, &[RECORD]);
    if removal.is_complete() {
        // The record goes last: a sweep that is killed leaves a root that is known to be dead.
        removal = remove_contents(&root, &[]);
    }
    if removal.is_complete()
        && let Err(errno) = rustix::fs::unlinkat(base, name, AtFlags::REMOVEDIR)
    {
        removal.note(&format!("rmdir {}: {errno}", name.to_bytes().escape_ascii()));
    }
    Some(removal.findings())
}

/// A directory of ours, reached through no link.
fn open_root(base: &OwnedFd, name: &CStr) -> Option<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let root = openat(base, name, flags, Mode::empty()).ok()?;
    let stat = rustix::fs::fstat(&root).ok()?;
    let beside = rustix::fs::fstat(base).ok()?;
    // A file system that is mounted here belongs to somebody who is not us.
    (stat.st_uid == rustix::process::geteuid().as_raw() && stat.st_dev == beside.st_dev)
        .then_some(root)
}

/// Whether the name still leads to the directory that was opened and locked.
fn names_still(base: &OwnedFd, name: &CStr, root: &OwnedFd) -> bool {
    let (Ok(named), Ok(opened)) =
        (statat(base, name, AtFlags::SYMLINK_NOFOLLOW), rustix::fs::fstat(root))
    else {
        return false;
    };
    FileType::from_raw_mode(named.st_mode).is_dir()
        && (named.st_dev, named.st_ino) == (opened.st_dev, opened.st_ino)
}

/// Whether a root whose lock is free has surely no owner any more: by its record, or, if that cannot be
/// read, by when the directory changed, in seconds since 1970.
fn is_dead(record: &Result<Owner, RecordError>, changed: i64, now: SystemTime) -> bool {
    match record {
        Ok(owner) => owner.life() == Life::Ended,
        Err(RecordError::Call { .. } | RecordError::Parse(_) | RecordError::NotAFile) => {
            is_old(changed, now)
        }
    }
}

/// Whether a directory has not changed for a day. Its status change time cannot be set by anybody
/// (`utimensat(2)` sets it to now), and one that lies in the future is no age at all.
fn is_old(changed: i64, now: SystemTime) -> bool {
    let Ok(seconds) = u64::try_from(changed) else { return false };
    let changed = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
    changed.and_then(|changed| now.duration_since(changed).ok()).is_some_and(|age| age > UNREADABLE)
}

#[cfg(test)]
mod tests;
