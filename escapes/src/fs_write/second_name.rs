//! Give a file that may only be read a second name where the program may write: rights go by names, and
//! the second one says that the file may be written. It is named and never written.

use fixtures::decoy::{Decoy, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "fs-write/second-name",
    summary: "Give the own program a second name in the run directory, where it may be written",
    techniques: &["FW-HARDRO"],
    references: &[
        "https://man7.org/linux/man-pages/man2/link.2.html",
        "https://docs.kernel.org/userspace-api/landlock.html",
        "https://github.com/nubjs/nub/pull/449",
    ],
    decoys: &[&Names],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &["layer/landlock", "hook/os.link"],
    // The program is on another file system, or `fs.protected_hardlinks` keeps it from this user.
    absent: &[libc::ENOSYS, libc::EXDEV, libc::EPERM],
    twin: Twin::OwnTree,
    native: Some(|scene| {
        let name = scene.run().join(NAME);
        fs::hard_link(fs::read_link("/proc/self/exe")?, &name)?;
        let shown = scene.show(CLAIM);
        fs::remove_file(name)?;
        shown.map(|()| Vec::new())
    }),
    python: Some(include_str!("second_name.py")),
    ..Escape::BLANK
}];

const CLAIM: &str = "second name";
const NAME: &str = "second";

/// Looks at whether the file `second` of the run directory is a file from elsewhere.
#[derive(Debug)]
struct Names;

impl Decoy for Names {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(Box::new(Looking::new(Looker { name: site.run.join(NAME) })))
    }
}

#[derive(Debug)]
struct Looker {
    name: PathBuf,
}

/// Whether a file has more names than the one.
fn shared(name: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(name) {
        Ok(metadata) => Ok(metadata.is_file() && metadata.nlink() > 1),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

impl Question for Looker {
    fn look(&mut self, _nonce: &str, claim: &str) -> io::Result<Option<String>> {
        let seen = claim == CLAIM && shared(&self.name)?;
        Ok(seen.then(|| "a file from outside has a name in the run directory".to_owned()))
    }
}
