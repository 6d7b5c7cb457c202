//! A dying process has its memory written by the kernel, as a file in its working directory: the
//! program makes no call that names it. The one that dies is a child, so that the program lives to
//! tell.

use super::effect::done;
use crate::raw;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::waitpid;
use nix::unistd::{Pid, chdir};
use std::path::Path;
use std::{fs, io};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "fs-write/core-dump",
    summary: "Let a child die outside and the kernel write its core there",
    techniques: &["FR-COREDUMP"],
    references: &[
        "https://github.com/DMOJ/judge-server/pull/1250",
        "https://man7.org/linux/man-pages/man5/core.5.html",
        "CWE-528",
    ],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
    witnesses: &[
        "hygiene/no-core-dump",
        "landlock/make-reg",
        "seccomp/clone",
        "seccomp/prlimit64",
        "seccomp/tgkill",
    ],
    // EPERM: the host itself allows nobody a core.
    absent: &[libc::ENOSYS, libc::EPERM],
    silent: Some(
        "the kernel writes the file after the last call, and tells nobody that it did not",
    ),
    native: Some(dump),
    ..Escape::BLANK
}];

fn dump(scene: &Scene) -> io::Result<Vec<u8>> {
    let outside = scene.path("outside")?;
    let (_, most) = getrlimit(Resource::RLIMIT_CORE)?;
    let wanted = if most == 0 { RLIM_INFINITY } else { most };
    setrlimit(Resource::RLIMIT_CORE, wanted, wanted)?;
    let child = raw::fork()?;
    if child == 0 {
        let entered = chdir(&outside);
        if entered.is_ok() {
            let _the_child_dies = raise(Signal::SIGQUIT);
        }
        raw::leave(1);
    }
    waitpid(Pid::from_raw(child), None)?;
    // Where cores go elsewhere, this surface is not there. The sandbox may hide the setting, but then
    // nothing is proved by it.
    match fs::read(Path::new("/proc/sys/kernel/core_pattern")) {
        Ok(pattern) if pattern.starts_with(b"|") || pattern.starts_with(b"/") => {
            Err(io::Error::from_raw_os_error(libc::ENOSYS))
        }
        Ok(_) | Err(_) => done(io::Result::Ok(())),
    }
}
