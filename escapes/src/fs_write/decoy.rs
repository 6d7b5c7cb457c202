//! A file outside that the world needs for itself: it sees whether somebody keeps it out.

use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Program, Site};
use rustix::fs::{FlockOperation, fcntl_lock, flock};
use std::ffi::OsString;
use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Clue `shared`: the file. It is looked at when the program shows its lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared;

impl Decoy for Shared {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let path = site.outside.join("shared");
        fs::write(&path, "Everybody takes turns here.\n")?;
        fs::set_permissions(&path, Permissions::from_mode(0o666))?;
        Ok(Box::new(File(path)))
    }
}

#[derive(Debug)]
struct File(PathBuf);

impl Placed for File {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("shared", self.0.clone().into())]
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
