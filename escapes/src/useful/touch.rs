//! Linux. Setting times as a question: Python's `Path.touch()` takes success for a file that is there, and makes none.

use super::expect;
use crate::raw;
use backends::linux::seccomp::Arch;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;

pub(super) const WORKS: &[UsefulWork] = &[UsefulWork {
    id: "useful/touch",
    summary: "Who asks by setting times whether a file is there is not told yes of one that is not",
    work: native!(touch),
    ..UsefulWork::BLANK
}];

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
