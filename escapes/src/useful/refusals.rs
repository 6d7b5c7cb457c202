//! A refusal must be told: a program that believes in a success which never was goes on with an object
//! it does not have. So a call that cannot work must fail, with the sandbox and without it.

use super::{expect, wrong};
use crate::raw;
use backends::linux::seccomp::{Action, Arch, Errno, Rule, strict};
use harness::scene::Scene;
use harness::useful::UsefulWork;
use std::io;

pub(super) const WORKS: &[UsefulWork] = &[UsefulWork {
    id: "useful/refusals",
    summary: "The program is told of every call that did nothing, except of owner, mode and times",
    work: native!(refusals),
    ..UsefulWork::BLANK
}];

/// No descriptor, process, address, flag or request: what takes such a number fails in every kernel.
const NOTHING: usize = 0x3fff_ffff;

/// The clock of a process that is not there, clock_getcpuclockid(3): `~id << 3`, and 2 for its kind.
const DEAD_CLOCK: usize = (!0x0fff_ffff << 3 | 2) & 0xffff_ffff;

/// Calls for which [`NOTHING`] is something, with arguments that are nothing to them.
const ARGUMENTS: &[(&str, [usize; 6])] = &[
    ("setuid", [usize::MAX; 6]),
    ("setgid", [usize::MAX; 6]),
    ("clock_gettime", [DEAD_CLOCK, NOTHING, 0, 0, 0, 0]),
    ("clock_getres", [DEAD_CLOCK, NOTHING, 0, 0, 0, 0]),
    ("clock_nanosleep", [DEAD_CLOCK, 0, NOTHING, 0, 0, 0]),
    ("timer_create", [DEAD_CLOCK, 0, NOTHING, 0, 0, 0]),
    ("setpriority", [0, NOTHING, 0, 0, 0, 0]),
    ("getpriority", [0, NOTHING, 0, 0, 0, 0]),
    ("prlimit64", [NOTHING, 0, 0, 0, 0, 0]),
    ("setrlimit", [libc::RLIMIT_CORE as usize, NOTHING, 0, 0, 0, 0]),
    // Moving those who wait at a shared futex, where no memory is.
    ("futex", [NOTHING & !3, 3, 1, 1, NOTHING & !3, 0]),
    ("kill", [NOTHING, 0, 0, 0, 0, 0]),
    ("tkill", [NOTHING, 0, 0, 0, 0, 0]),
];

/// Calls that no argument makes fail, and which are tried in another way below, or not at all: the
/// identity for files is changed by calls that cannot fail, and what a session is asked for stands.
const APART: &[&str] =
    &["fork", "vfork", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid"];

/// A call that the sandbox has no rule for.
const UNNAMED: &str = "keyctl";

fn refusals(_scene: &Scene) -> io::Result<()> {
    let arch = Arch::native().ok_or(io::ErrorKind::Unsupported)?;
    let refused = strict(arch).rules.into_iter().filter(|(_, rule)| is_told(rule));
    let names = refused.map(|(name, _)| name).chain([UNNAMED.to_owned()]);
    for name in names.filter(|name| !APART.contains(&name.as_str())) {
        let number = arch.number(&name).ok_or(io::ErrorKind::InvalidData)?;
        let known = ARGUMENTS.iter().find(|(known, _)| *known == name);
        let arguments = known.map_or([NOTHING; 6], |(_, arguments)| *arguments);
        let session = rustix::process::getsid(None);
        let told = raw::call(number.into(), arguments);
        // A sandbox whose program leads no group lets it have a session of its own: then it has one.
        if told.is_ok() && rustix::process::getsid(None) == session {
            return Err(io::Error::other(format!("{name} did nothing and reported success")));
        }
    }
    identities()?;
    processes()
}

/// Whether the sandbox means to tell a refusal of this call.
fn is_told(rule: &Rule) -> bool {
    match rule {
        Rule::Always(Action::Errno(answer)) | Rule::Checked { otherwise: answer, .. } => {
            *answer != Errno::Success
        }
        Rule::Feigned { .. }
        | Rule::Once { .. }
        | Rule::Always(Action::Allow | Action::KillProcess) => false,
    }
}

/// Whoever is told that the effective identity is another one, has it. It is given back.
fn identities() -> io::Result<()> {
    const OTHER: usize = 65_534;
    const SAME: usize = u32::MAX as usize;
    let groups = [libc::SYS_setregid, libc::SYS_setresgid];
    for number in groups {
        let before = nix::unistd::getegid().as_raw() as usize;
        if raw::call(number, [SAME, OTHER, SAME, 0, 0, 0]).is_ok() {
            expect(nix::unistd::getegid().as_raw() as usize == OTHER, "the group is the old one")?;
            raw::call(number, [SAME, before, SAME, 0, 0, 0])?;
        }
    }
    for number in [libc::SYS_setreuid, libc::SYS_setresuid] {
        let before = nix::unistd::geteuid().as_raw() as usize;
        if raw::call(number, [SAME, OTHER, SAME, 0, 0, 0]).is_ok() {
            expect(nix::unistd::geteuid().as_raw() as usize == OTHER, "the user is the old one")?;
            raw::call(number, [SAME, before, SAME, 0, 0, 0])?;
        }
    }
    Ok(())
}

/// Whoever is told to be a new process is one: it leaves, and if it was the old one all the same, the
/// work is never done.
fn processes() -> io::Result<()> {
    match raw::fork() {
        Ok(0) => raw::leave(0),
        Ok(child) => {
            let child = nix::unistd::Pid::from_raw(child);
            nix::sys::wait::waitpid(child, None)?;
        }
        Err(_told) => {}
    }
    #[cfg(target_arch = "x86_64")]
    forks_by_number()?;
    Ok(())
}

/// The same by the calls themselves, of which a C library uses neither.
#[cfg(target_arch = "x86_64")]
fn forks_by_number() -> io::Result<()> {
    for number in [libc::SYS_fork, libc::SYS_vfork] {
        if let Ok(child) = raw::code::fork_and_leave(number, std::time::Duration::ZERO) {
            let child = i32::try_from(child).map_err(|_large| wrong("a process has no number"))?;
            nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(child), None)?;
        }
    }
    Ok(())
}
