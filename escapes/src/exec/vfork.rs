//! Start a second process that borrows the memory of this one: vfork and what is built on it.

use super::marker;
#[cfg(target_os = "linux")]
use crate::raw;
use fixtures::watch::process::MARKER;
#[cfg(target_os = "linux")]
use harness::escape::Need;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, posix_spawn};
use std::ffi::CString;
use std::io;

const VFORK: Escape = Escape {
    techniques: &["EX-VFORK"],
    references: &["https://man7.org/linux/man-pages/man2/vfork.2.html"],
    decoys: &[MARKER],
    stops: &[Layer::Seccomp, Layer::Seatbelt],
    twin: Twin::Thread,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    #[cfg(target_os = "linux")]
    Escape {
        id: "exec/vfork",
        summary: "Start a second process in this one's memory, as vfork does",
        witnesses: &["seccomp/clone"],
        native: Some(|scene| {
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
            marker::reap(raw::clone_shared(flags, &mut || marker::code(marker::live(scene)))?)
        }),
        ..VFORK
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "exec/vfork.system-call",
        summary: "Start a second process in this one's memory by the call of that name",
        needs: &[Need::Architecture("x86_64")],
        stops: &[Layer::Seccomp],
        witnesses: &["seccomp/vfork"],
        native: Some(by_number),
        ..VFORK
    },
    Escape {
        id: "exec/vfork.spawn",
        summary: "Start a system program by posix_spawn",
        references: &[
            "https://man7.org/linux/man-pages/man3/posix_spawn.3.html",
            "https://github.com/kiwibrowser/src/blob/HEAD/docs/linux_sandboxing.md",
        ],
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::MountNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &[
            "landlock/execute",
            "landlock/read-file",
            "seccomp/clone",
            "seccomp/execve",
            "hook/os.*",
        ],
        native: Some(spawn),
        python: Some(concat!(include_str!("marker.py"), include_str!("vfork.spawn.py"))),
        ..VFORK
    },
];

/// The new process has the name of the thread that it comes from, and sleeps so long that it is seen.
#[cfg(target_arch = "x86_64")]
#[cfg(target_os = "linux")]
fn by_number(scene: &Scene) -> io::Result<Vec<u8>> {
    let name = marker::marker(scene)?;
    let thread = std::thread::Builder::new().spawn(move || {
        nix::sys::prctl::set_name(&name)?;
        raw::code::fork_and_leave(libc::SYS_vfork, std::time::Duration::from_millis(300))
    })?;
    let process = thread.join().map_err(|_panic| io::Error::other("the thread did not end"))??;
    marker::reap(i32::try_from(process).map_err(io::Error::other)?)
}

#[cfg(all(target_os = "linux", not(target_arch = "x86_64")))]
fn by_number(_scene: &Scene) -> io::Result<Vec<u8>> {
    Err(io::Error::from_raw_os_error(libc::ENOSYS))
}

fn spawn(scene: &Scene) -> io::Result<Vec<u8>> {
    let process = posix_spawn(
        marker::SHELL,
        &PosixSpawnFileActions::init()?,
        &PosixSpawnAttr::init()?,
        &marker::shell(scene)?,
        &[] as &[CString],
    )?;
    marker::reap(process.as_raw())
}
