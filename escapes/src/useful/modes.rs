//! Mode, owner, times and attributes of an own file. Under S1 the calls answer success and may change
//! nothing: a path filter cannot tell an own file from another, and copying programs give up on an
//! error. So nobody looks at the effect here, only at the answer.

use harness::scene::Scene;
use harness::useful::UsefulWork;
use nix::errno::Errno;
use rustix::fs::{Timespec, Timestamps, XattrFlags};
use std::fs::{self, File, FileTimes, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::SystemTime;

pub(super) const WORKS: &[UsefulWork] = &[UsefulWork {
    id: "useful/modes-and-times",
    summary: "Setting the mode, the owner and the times of an own file answers success",
    work: native!(modes),
    ..UsefulWork::BLANK
}];

fn modes(scene: &Scene) -> io::Result<()> {
    let path = scene.run().join("modes");
    fs::write(&path, b"content")?;
    let file = File::options().write(true).open(&path)?;
    fs::set_permissions(&path, Permissions::from_mode(0o640))?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    let metadata = file.metadata()?;
    std::os::unix::fs::chown(&path, Some(metadata.uid()), Some(metadata.gid()))?;
    file.set_times(FileTimes::new().set_modified(SystemTime::UNIX_EPOCH))?;
    let time = Timespec { tv_sec: 1_000_000_000, tv_nsec: 0 };
    let times = Timestamps { last_access: time, last_modification: time };
    let here = rustix::fs::CWD;
    rustix::fs::utimensat(here, &path, &times, rustix::fs::AtFlags::empty())?;
    // File systems without attributes are common, and the answer of one is fine.
    match rustix::fs::setxattr(&path, "user.note", b"note", XattrFlags::empty()) {
        Ok(()) => Ok(()),
        Err(error) if error.raw_os_error() == Errno::ENOTSUP as i32 => Ok(()),
        Err(error) => Err(error.into()),
    }
}
