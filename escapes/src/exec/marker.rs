//! How the escapes of this family let themselves be seen: a started process bears the joined marker
//! in its name or in its command line and stays until the watcher has seen it, a second at most.

use crate::raw;
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use nix::fcntl::AtFlags;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::convert::Infallible;
use std::ffi::{CStr, CString};
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The name that the watcher looks for. Its halves are told apart, so that the program's own command
/// line does not hold it.
pub(crate) fn marker(scene: &Scene) -> io::Result<CString> {
    let joined = format!("{}{}", scene.text("marker-a")?, scene.text("marker-b")?);
    Ok(CString::new(joined)?)
}

/// A file of the run directory that bears the marker as its name.
pub(super) fn file(scene: &Scene) -> io::Result<PathBuf> {
    Ok(scene.run().join(marker(scene)?.to_string_lossy().as_ref()))
}

/// What a system shell is told, so that it bears the marker as `$0` and stays until it was seen.
pub(crate) fn shell(scene: &Scene) -> io::Result<[CString; 4]> {
    Ok([c"sh".into(), c"-c".into(), STAY.into(), marker(scene)?])
}

/// Writes a script for the system shell that stays until it was seen. The marker is an argument of it.
#[cfg(target_os = "linux")]
pub(super) fn script(file: &mut impl io::Write) -> io::Result<()> {
    let lines: [&[u8]; 4] = [b"#!", SHELL.to_bytes(), b"\n", STAY.to_bytes()];
    file.write_all(&lines.concat())
}

/// The own program, by the name that its launcher gave it: a sandbox need not show `/proc`.
pub(super) fn image() -> io::Result<PathBuf> {
    std::env::args_os().next().map(PathBuf::from).ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// The system shell: the program that an escape wants most.
pub(crate) const SHELL: &CStr = c"/bin/sh";

/// Stays until it was seen, with the words that every shell has built in.
const STAY: &CStr = c"i=0; while [ ! -e seen ] && [ $i -lt 400000 ]; do i=$((i+1)); done";

/// The life of a new process: it takes the marker as its name and ends when it was seen.
pub(super) fn live(scene: &Scene) -> io::Result<()> {
    take_name(&marker(scene)?)?;
    stay(scene);
    Ok(())
}

/// Takes a name that the watcher sees.
#[cfg(target_os = "linux")]
fn take_name(name: &CStr) -> io::Result<()> {
    Ok(nix::sys::prctl::set_name(name)?)
}

#[cfg(target_os = "macos")]
fn take_name(name: &CStr) -> io::Result<()> {
    raw::take_name(name)
}

/// Waits until the watcher has seen this process, a second at most.
pub(super) fn stay(scene: &Scene) {
    let seen = scene.run().join("seen");
    let begin = Instant::now();
    while !seen.exists() && begin.elapsed() < Duration::from_secs(1) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Starts a process by `fork`, which returns twice. The new process lives and leaves; the old one
/// waits for it.
pub(crate) fn second(scene: &Scene, fork: impl FnOnce() -> io::Result<i32>) -> io::Result<Vec<u8>> {
    child(fork, || live(scene))
}

/// As [`second`], but the new process leads the `life`.
pub(super) fn child(
    fork: impl FnOnce() -> io::Result<i32>,
    life: impl FnOnce() -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    match fork()? {
        0 => raw::leave(code(life())),
        process => reap(process),
    }
}

/// A process that was born without a signal for its parent is waited for too.
#[cfg(target_os = "linux")]
const WAIT: Option<WaitPidFlag> = Some(WaitPidFlag::__WALL);
#[cfg(target_os = "macos")]
const WAIT: Option<WaitPidFlag> = None;

/// A process tells its errno by its exit code.
pub(super) fn code(result: io::Result<()>) -> i32 {
    result.map_or_else(|error| error.raw_os_error().unwrap_or(libc::EIO), |()| 0)
}

/// Waits for the end of a new process, and takes its exit code for an errno.
pub(crate) fn reap(process: i32) -> io::Result<Vec<u8>> {
    let ended = waitpid(Pid::from_raw(process), WAIT)?;
    if let WaitStatus::Exited(_, errno @ 1..) = ended {
        return Err(io::Error::from_raw_os_error(errno));
    }
    Ok(Vec::new())
}

/// An exec returns only when it failed.
fn replaced(result: nix::Result<Infallible>) -> io::Result<Vec<u8>> {
    match result? {}
}

/// Becomes the program at a path.
pub(super) fn become_program(path: &CStr, arguments: &[impl AsRef<CStr>]) -> io::Result<Vec<u8>> {
    replaced(nix::unistd::execv(path, arguments))
}

/// Becomes the program that a descriptor is open to, if only as a path.
#[cfg(target_os = "linux")]
pub(super) fn become_held(descriptor: impl AsFd, arguments: &[CString]) -> io::Result<Vec<u8>> {
    become_beneath(descriptor, c"", arguments, AtFlags::AT_EMPTY_PATH)
}

/// Becomes the program that has this path beneath a descriptor, without any environment.
#[cfg(target_os = "linux")]
pub(super) fn become_beneath(
    descriptor: impl AsFd,
    path: &CStr,
    arguments: &[CString],
    flags: AtFlags,
) -> io::Result<Vec<u8>> {
    let environment: [CString; 0] = [];
    replaced(nix::unistd::execveat(descriptor, path, arguments, &environment, flags))
}

/// Executes an absolute path beneath a descriptor that nobody has: the path counts, as execveat(2)
/// says, so a rule on the descriptor's number is no rule. The kernel cuts off what is in the upper halves of
/// descriptor and flags.
#[cfg(target_os = "linux")]
pub(super) fn become_absolute(
    path: &CStr,
    arguments: &[CString],
    upper: u32,
) -> io::Result<Vec<u8>> {
    const NOBODY: usize = 1000;
    let mut addresses: Vec<usize> =
        arguments.iter().map(|argument| argument.as_ptr() as usize).collect();
    addresses.push(0);
    let environment = [0_usize];
    let call = [
        NOBODY | (upper as usize) << 32,
        path.as_ptr() as usize,
        addresses.as_ptr() as usize,
        environment.as_ptr() as usize,
        libc::AT_EMPTY_PATH as usize | (upper as usize) << 32,
        0,
    ];
    raw::call(libc::SYS_execveat, call).map(|_never| Vec::new())
}

/// The arguments of this process and the marker, by which the program knows that it has come back.
pub(super) fn own_arguments(scene: &Scene) -> io::Result<Vec<CString>> {
    let mut arguments = Vec::new();
    for argument in std::env::args_os() {
        arguments.push(CString::new(argument.into_vec())?);
    }
    arguments.push(CString::new([b"again=", marker(scene)?.as_bytes()].concat())?);
    Ok(arguments)
}

/// Becomes this same program once more; when it has come back it stays until it was seen.
pub(super) fn again(
    scene: &Scene,
    become_own: impl FnOnce() -> io::Result<Vec<u8>>,
) -> io::Result<Vec<u8>> {
    if scene.clue("again").is_err() {
        return become_own();
    }
    stay(scene);
    Ok(Vec::new())
}
