//! Linux. Private temporary directories. Who is killed cannot remove its own, so the next who makes one for the same
//! purpose does: each holds a lock on its directory for as long as it lives.

use crate::session::root::last_name;
use crate::sweep::remove_tree;
use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use tempfile::TempDir;

/// Directories that are made at most, should others sweep each one away before it is locked.
const ATTEMPTS: usize = 64;

/// A directory, which goes with all that is in it, and then its lock.
#[derive(Debug)]
pub(crate) struct Temporary {
    folder: TempDir,
    _lock: OwnedFd,
}

impl Temporary {
    /// Makes one in the place for temporary files, and removes there what was left of this purpose.
    pub(crate) fn make(purpose: &str) -> io::Result<Self> {
        Self::make_in(&std::env::temp_dir(), purpose)
    }

    /// Makes one here, and removes here what was left of this purpose.
    pub(crate) fn make_in(base: &Path, purpose: &str) -> io::Result<Self> {
        let prefix = format!("escapology-{purpose}-");
        sweep(base, &prefix);
        (0..ATTEMPTS)
            .find_map(|_| Self::locked(base, &prefix).transpose())
            .unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()))
    }

    /// One with a lock; none if another took it for a stale one before.
    fn locked(base: &Path, prefix: &str) -> io::Result<Option<Self>> {
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(base)?;
        let opened = match open(folder.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        // Where directories cannot be locked nobody can take this one for a stale one either.
        let _cannot_be_locked = flock(&opened, FlockOperation::LockExclusive);
        let Ok(named) = rustix::fs::lstat(folder.path()) else { return Ok(None) };
        let stat = rustix::fs::fstat(&opened)?;
        let same = (stat.st_dev, stat.st_ino) == (named.st_dev, named.st_ino);
        Ok(same.then_some(Self { folder, _lock: opened }))
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes it with what a program left in it, and returns what could not be removed. The standard library's way
    /// stops at a closed directory, and thousands of levels use its stack up and end this process.
    pub(crate) fn remove(self) -> Vec<String> {
        let path = self.folder.keep();
        let parent = path.parent().unwrap_or(&path);
        match std::fs::File::open(parent) {
            Ok(parent) => remove_tree(&parent, &last_name(&path)).findings(),
            Err(error) => vec![format!("open {parent:?}: {error}")],
        }
    }
}

/// Removes the directories below `base` that belong to this user and to nobody who lives. What cannot be looked at or
/// removed is left for the next one: it is not of this one.
fn sweep(base: &Path, prefix: &str) {
    let Ok(parent) = open(base) else { return };
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.as_bytes().starts_with(prefix.as_bytes())
            && entry.metadata().is_ok_and(|metadata| {
                metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw()
            });
        if !ours {
            continue;
        }
        let (Ok(lock), Ok(name)) = (open(&entry.path()), CString::new(name.as_bytes())) else {
            continue;
        };
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _left_for_the_next = remove_tree(&parent, &name);
        }
    }
}

fn open(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_locked_goes_when_the_next_of_its_purpose_is_made() {
        let base = tempfile::tempdir().unwrap();
        let left = |name: &str| {
            let folder = base.path().join(name);
            std::fs::create_dir_all(folder.join("deep")).unwrap();
            folder
        };
        let [stale, other] = ["escapology-one-stale", "escapology-other-stale"].map(left);
        let alive = Temporary::make_in(base.path(), "one").unwrap();
        assert!(!stale.exists() && other.exists());
        let next = Temporary::make_in(base.path(), "one").unwrap();
        assert!(alive.path().exists() && alive.path() != next.path());
        let path = alive.path().to_owned();
        drop(alive);
        assert!(!path.exists());
    }
}
