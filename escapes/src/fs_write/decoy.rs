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
