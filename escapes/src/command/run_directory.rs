//! The run directory of `escapology run`: fresh, private, removed with all that is in it. A launcher
//! that is killed cannot remove its own, so the next one does: it holds a lock on its directory for as
//! long as it lives, and a directory whose lock is free has no launcher any more.

use super::say;
use backends::grants::Refusal;
use backends::host::RunError;
use backends::unit::UnitError;
use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How the name of every run directory begins.
const PREFIX: &str = "escapology-run-";

/// Directories that are made at most, should others sweep each one away before it is locked.
const ATTEMPTS: usize = 64;

/// Why there is no run directory.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunDirectoryError {
    /// A call failed.
    #[error("run directory: {call}: {source}")]
    Call { call: &'static str, source: io::Error },
    /// It would be granted, with those of others beside it.
    #[error(
        "the run directory {run:?} would lie inside the grant {grant:?}: grant less, or set TMPDIR to another place"
    )]
    Inside { run: PathBuf, grant: PathBuf },
}

/// A run directory and its lock.
#[derive(Debug)]
pub(crate) struct RunDirectory {
    path: PathBuf,
    _lock: OwnedFd,
}

impl RunDirectory {
    /// Removes those of launchers that were killed, and makes a fresh one.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn make() -> Result<Self, RunDirectoryError> {
        let failed = |call| move |source| RunDirectoryError::Call { call, source };
        let base = std::env::temp_dir().canonicalize().map_err(failed("realpath"))?;
        sweep(&base);
        for _ in 0..ATTEMPTS {
            let folder = tempfile::Builder::new()
                .prefix(PREFIX)
                .tempdir_in(&base)
                .map_err(failed("mkdir"))?;
            match lock(folder.path()) {
                Ok(lock) => return Ok(Self { path: folder.keep(), _lock: lock }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed("open")(error)),
            }
        }
        Err(failed("flock")(io::ErrorKind::ResourceBusy.into()))
    }

    /// Whether a run was refused because a grant holds this directory; with words that help.
    pub(crate) fn is_granted(&self, error: &RunError) -> Option<RunDirectoryError> {
        let RunError::Unit(UnitError::Refused(Refusal::Protected { grant, protected })) = error
        else {
            return None;
        };
        let inside = || RunDirectoryError::Inside { run: protected.clone(), grant: grant.clone() };
        (*protected == self.path).then(inside)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        for finding in fixtures::sweep::remove_tree(&self.path) {
            say(&format!("left behind: {finding}"));
        }
    }
}

/// Removes the run directories below `base` that belong to this user and to no launcher. What cannot
/// be looked at or removed is left for the next launcher: it is not of this run.
fn sweep(base: &Path) {
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.metadata().is_ok_and(|metadata| {
                metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw()
            });
        if !ours {
            continue;
        }
        let path = entry.path();
        let Ok(lock) = open(&path) else { continue };
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _left_for_the_next = fixtures::sweep::remove_tree(&path);
        }
    }
}

/// Locks a directory that was just made. Before that it looks like a stale one, so another launcher may
/// have swept it away: not found.
fn lock(path: &Path) -> io::Result<OwnedFd> {
    let directory = open(path)?;
    // Where directories cannot be locked nobody can take this one for a stale one either.
    let _cannot_be_locked = flock(&directory, FlockOperation::LockExclusive);
    let (opened, named) = (rustix::fs::fstat(&directory)?, rustix::fs::lstat(path)?);
    let same = (opened.st_dev, opened.st_ino) == (named.st_dev, named.st_ino);
    if same { Ok(directory) } else { Err(io::ErrorKind::NotFound.into()) }
}

fn open(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}
