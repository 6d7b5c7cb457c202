//! The watcher of locks: it wants the file `writable` outside for itself, and sees whether somebody
//! keeps it out.

use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Program, Site};
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
        Ok(Box::new(File(site.outside.join("writable"))))
    }
}

#[derive(Debug)]
struct File(PathBuf);

impl Placed for File {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        Vec::new()
    }

    fn look(&mut self, _program: &Program<'_>, _claim: &str) -> Vec<Evidence> {
        let held = refusal(&self.0).map(|what| Evidence {
            kind: EvidenceKind::ObjectHeld,
            detail: format!("{what} keeps others from a file outside"),
        });
        held.into_iter().collect()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        Vec::new()
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
        Ok(Box::new(Byte { image: std::env::current_exe()?, byte, failure: None }))
    }
}

#[derive(Debug)]
struct Byte {
    image: PathBuf,
    byte: i64,
    /// A look that failed: what was not seen then proves nothing.
    failure: Option<io::Error>,
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

impl Placed for Byte {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("granted", self.image.clone().into()), ("byte", self.byte.to_string().into())]
    }

    fn look(&mut self, _program: &Program<'_>, claim: &str) -> Vec<Evidence> {
        if claim != "lock" {
            return Vec::new();
        }
        match self.holder() {
            Ok(Some(pid)) => vec![Evidence {
                kind: EvidenceKind::ObjectHeld,
                detail: format!(
                    "process {pid} keeps others from writing to a file that it may read"
                ),
            }],
            Ok(None) => Vec::new(),
            Err(error) => {
                self.failure.get_or_insert(error);
                Vec::new()
            }
        }
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        self.failure.take().map_or(Ok(Vec::new()), Err)
    }

    fn sweep(&mut self) -> Vec<String> {
        Vec::new()
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
