//! Linux. Where a probe stands: a fresh private directory in which programs may be executed. A probe that is killed
//! cannot remove its own, so the next one does: each holds a lock on its directory for as long as it lives.

use super::arm::ArmError;
use crate::sweep::remove_tree;
use rustix::fs::{FlockOperation, Mode, OFlags, StatVfsMountFlags, flock};
use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How the name of every place begins.
const PREFIX: &str = "escapology-probe-";

/// Places in which a program may be executed, tried in this order after the one for temporary files.
const FALLBACKS: [&str; 2] = ["/var/tmp", "/dev/shm"];

/// Directories that are made at most in one place, should others sweep each one away before it is locked.
const ATTEMPTS: usize = 64;

/// A place, which goes with all that is in it, and then its lock.
#[derive(Debug)]
pub(super) struct Place {
    folder: TempDir,
    _lock: OwnedFd,
}

impl Place {
    /// Makes one where it can, and removes those of probes that were killed there.
    pub(super) fn make() -> Result<Self, ArmError> {
        let candidates = std::iter::once(std::env::temp_dir()).chain(FALLBACKS.map(PathBuf::from));
        for base in candidates {
            let executes = rustix::fs::statvfs(&base)
                .is_ok_and(|found| !found.f_flag.contains(StatVfsMountFlags::NOEXEC));
            if !executes {
                continue;
            }
            sweep(&base);
            if let Some(place) = (0..ATTEMPTS).find_map(|_| Self::in_base(&base).transpose()) {
                match place {
                    Ok(place) => return Ok(place),
                    Err(_cannot_be_written) => continue,
                }
            }
        }
        Err(ArmError::NoPlace)
    }

    /// One in this place; none if another probe took it for a stale one before it was locked.
    fn in_base(base: &Path) -> io::Result<Option<Self>> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(base)?;
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

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the places below `base` that belong to this user and to no probe. What cannot be looked at or
/// removed is left for the next one: it is not of this probe.
fn sweep(base: &Path) {
    let Ok(parent) = open(base) else { return };
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.as_bytes().starts_with(PREFIX.as_bytes())
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
