//! Linux. Writes a harvested copy below a directory of the host's: new names only, through no link.

use super::Harvested;
use rustix::fs::{Mode, OFlags, ResolveFlags, Timespec, Timestamps, futimens, mkdirat, openat2};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The time of every saved file: 1980-01-01, the earliest that archives can hold.
const TIME: i64 = 315_532_800;

/// Why a copy was not saved.
#[derive(Debug, thiserror::Error)]
#[error("save {name:?} below {into:?}: {call}: {source}")]
pub struct SaveError {
    /// The copy's name.
    pub name: String,
    /// The host's directory.
    pub into: PathBuf,
    /// The call that failed.
    pub call: &'static str,
    /// Its error.
    pub source: io::Error,
}

pub(super) fn save(file: &Harvested, into: &Path) -> Result<(), SaveError> {
    let failed = |call| {
        move |source| SaveError { name: file.name.clone(), into: into.to_owned(), call, source }
    };
    let errno = |call| move |errno: Errno| failed(call)(errno.into());
    let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut here = rustix::fs::open(into, folder, Mode::empty()).map_err(errno("open"))?;
    let mut parts: Vec<&str> = file.name.split('/').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match mkdirat(&here, part, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(errno("mkdir")(error)),
        }
        here = beneath(&here, part, folder).map_err(errno("openat2"))?;
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mut saved = File::from(beneath(&here, last, flags).map_err(errno("openat2"))?);
    let mut copy = file.open().map_err(failed("open"))?;
    io::copy(&mut copy, &mut saved).map_err(failed("write"))?;
    let time = Timespec { tv_sec: TIME, tv_nsec: 0 };
    futimens(&saved, &Timestamps { last_access: time, last_modification: time })
        .map_err(errno("futimens"))
}

fn beneath(parent: &OwnedFd, name: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let mode =
        if flags.contains(OFlags::CREATE) { Mode::from_raw_mode(0o644) } else { Mode::empty() };
    openat2(parent, name, flags | OFlags::NOFOLLOW, mode, resolve)
}
