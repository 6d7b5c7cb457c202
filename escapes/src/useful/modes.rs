//! Mode, owner, times and attributes of an own file. Under S1 the calls answer success and may change
//! nothing: a path filter cannot tell an own file from another, and copying programs give up on an
//! error. So nobody looks at the effect here, only at the answer; which must be true where it is asked for.

use super::expect;
use crate::raw;
use backends::linux::seccomp::Arch;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use nix::errno::Errno;
use rustix::fs::{Timespec, Timestamps, XattrFlags};
use std::ffi::CString;
use std::fs::{self, File, FileTimes, Permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::SystemTime;

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/modes-and-times",
        summary: "Setting the mode, the owner and the times of an own file answers success",
        work: native!(modes),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/touch",
        summary: "Who asks by setting times whether a file is there is not told yes of one that is not",
        work: native!(touch),
        ..UsefulWork::BLANK
    },
];

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

/// The calls that set times by a path, and which argument that is. One before it is a directory.
const BY_PATH: [(&str, usize); 4] =
    [("utime", 0), ("utimes", 0), ("futimesat", 1), ("utimensat", 1)];

/// The largest form of what these calls take: two times of two words each.
const EPOCH: [u64; 4] = [0; 4];

fn touch(scene: &Scene) -> io::Result<()> {
    let there = scene.run().join("touched");
    let file = File::create(&there)?;
    let [there, absent] = [there, scene.run().join("absent")]
        .map(|path| CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other));
    let (there, absent) = (there?, absent?);
    let arch = Arch::native().ok_or(io::ErrorKind::Unsupported)?;
    for (name, place) in BY_PATH {
        let Some(number) = arch.number(name) else { continue };
        let mut arguments = [libc::AT_FDCWD as usize, 0, 0, 0, 0, 0];
        arguments[place] = absent.as_ptr() as usize;
        arguments[place + 1] = 0;
        expect(raw::call(number.into(), arguments).is_err(), "a file that is not there is there")?;
        arguments[place] = there.as_ptr() as usize;
        arguments[place + 1] = EPOCH.as_ptr() as usize;
        raw::call(number.into(), arguments)?;
    }
    // touch(1) has opened its file.
    for name in ["futimesat", "utimensat"] {
        let Some(number) = arch.number(name) else { continue };
        raw::call(number.into(), [file.as_raw_fd() as usize, 0, 0, 0, 0, 0])?;
    }
    Ok(())
}
