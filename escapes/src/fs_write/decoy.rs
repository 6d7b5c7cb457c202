//! The watcher of locks: it wants the file `writable` outside for itself, and sees whether somebody
//! keeps it out.

use fixtures::decoy::{Decoy, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
use rustix::fs::{FlockOperation, fcntl_lock, flock};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The watcher; it looks when the program shows its lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locked;

impl Decoy for Locked {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(Box::new(Looking::new(File(site.outside.join("writable")))))
    }
}

#[derive(Debug)]
struct File(PathBuf);

impl Question for File {
    fn look(&mut self, _nonce: &str, _claim: &str) -> io::Result<Option<String>> {
        Ok(refusal(&self.0).map(|what| format!("{what} keeps others from a file outside")))
    }
}

/// Clues `granted` and `byte`: this binary, which every trial may read, and a byte of it. The watcher asks
/// whether somebody keeps others from writing there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Granted;

impl Decoy for Granted {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        // Trials at the same time lock different bytes; a lock may lie beyond the end of its file.
        let digits = site.nonce.get(..8).unwrap_or_default();
        let byte = i64::from_str_radix(digits, 16).map_err(io::Error::other)?;
        Ok(Box::new(Looking::new(Byte { image: std::env::current_exe()?, byte })))
    }
}

#[derive(Debug)]
struct Byte {
    image: PathBuf,
    byte: i64,
}

impl Byte {
    /// The process that has locked the byte.
    fn holder(&self) -> io::Result<Option<i32>> {
        let file = std::fs::File::open(&self.image)?;
        let wanted = rustix::process::Flock {
            start: u64::try_from(self.byte).map_err(io::Error::other)?,
            length: 1,
            pid: None,
            typ: rustix::process::FlockType::WriteLock,
            offset_type: rustix::process::FlockOffsetType::Set,
        };
        let found = rustix::process::fcntl_getlk(&file, &wanted)?;
        Ok(found.and_then(|lock| lock.pid).map(|pid| pid.as_raw_nonzero().get()))
    }
}

impl Question for Byte {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("granted", self.image.clone().into()), ("byte", self.byte.to_string().into())]
    }

    fn look(&mut self, _nonce: &str, claim: &str) -> io::Result<Option<String>> {
        if claim != "lock" {
            return Ok(None);
        }
        let detail =
            |pid| format!("process {pid} keeps others from writing to a file that it may read");
        Ok(self.holder()?.map(detail))
    }
}

/// What keeps this process from the file, if anything does.
fn refusal(path: &Path) -> Option<&'static str> {
    let mut options = OpenOptions::new();
    // A lease would make an ordinary open wait until it is broken.
    options.read(true).write(true).custom_flags(libc::O_NONBLOCK);
    let file = match options.open(path) {
        Ok(file) => file,
        Err(error) => return (error.kind() == io::ErrorKind::WouldBlock).then_some("a lease"),
    };
    let exclusive = FlockOperation::NonBlockingLockExclusive;
    if flock(&file, exclusive) == Err(rustix::io::Errno::WOULDBLOCK) {
        return Some("a lock of the whole file");
    }
    let record = fcntl_lock(&file, exclusive);
    (record == Err(rustix::io::Errno::AGAIN) || record == Err(rustix::io::Errno::ACCESS))
        .then_some("a record lock")
}
