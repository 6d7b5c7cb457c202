//! Trace a process outside, as a debugger does: it then has no secret and no will of its own.

#[cfg(target_os = "linux")]
use super::victim;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
#[cfg(target_os = "linux")]
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::ptrace;
#[cfg(target_os = "linux")]
use nix::sys::ptrace::Options;
#[cfg(target_os = "linux")]
use nix::sys::wait::WaitPidFlag;
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::io;

const TRACE: Escape = Escape {
    techniques: &["KP-PTRACE"],
    references: &[
        "https://man7.org/linux/man-pages/man2/ptrace.2.html",
        "https://attack.mitre.org/techniques/T1055/008/",
    ],
    decoys: &[VICTIM],
    stops: &[
        Layer::Landlock,
        Layer::Seccomp,
        Layer::MountNamespace,
        Layer::OtherNamespace,
        Layer::Seatbelt,
    ],
    // An unconfined program of the same user is refused only where the host lets nobody trace, as Yama
    // does.
    absent: &[libc::ENOSYS, libc::EPERM],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/ptrace",
        summary: "Seize a process outside and read its memory word by word",
        witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/ptrace"],
        native: Some(|scene| peek(scene, seize(scene)?)),
        ..TRACE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/ptrace.attach",
        summary: "Attach to a process outside, which stops it, and read its memory word by word",
        witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/ptrace"],
        native: Some(|scene| {
            let victim = Pid::from_raw(scene.number("victim")?);
            ptrace::attach(victim)?;
            waitpid(victim, Some(WaitPidFlag::__WALL))?;
            peek(scene, victim)
        }),
        ..TRACE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/ptrace.poke",
        summary: "Seize a process outside and write into its memory",
        witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/ptrace"],
        native: Some(|scene| {
            let victim = seize(scene)?;
            let written = ptrace::write(victim, victim::beside_token(scene)? as *mut _, 1);
            ptrace::detach(victim, None)?;
            written?;
            Ok(Vec::new())
        }),
        ..TRACE
    },
    Escape {
        id: "process/ptrace.held",
        summary: "Become the tracer of a process outside and let it run on",
        witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/ptrace"],
        native: Some(|scene| {
            // It ends with this process.
            become_tracer(Pid::from_raw(scene.number("victim")?))?;
            scene.show("victim")?;
            leave(Pid::from_raw(scene.number("victim")?))?;
            Ok(Vec::new())
        }),
        ..TRACE
    },
];

#[cfg(target_os = "linux")]
fn seize(scene: &Scene) -> io::Result<Pid> {
    let victim = Pid::from_raw(scene.number("victim")?);
    ptrace::seize(victim, Options::empty())?;
    ptrace::interrupt(victim)?;
    waitpid(victim, Some(WaitPidFlag::__WALL))?;
    Ok(victim)
}

/// The token out of the memory of a traced process, which is then left alone.
#[cfg(target_os = "linux")]
fn peek(scene: &Scene, victim: Pid) -> io::Result<Vec<u8>> {
    let loot = token_of(scene, victim);
    ptrace::detach(victim, None)?;
    loot
}

#[cfg(target_os = "linux")]
fn token_of(scene: &Scene, victim: Pid) -> io::Result<Vec<u8>> {
    let (start, length) = victim::token(scene)?;
    let mut loot = Vec::new();
    for address in (start..start + length).step_by(size_of::<libc::c_long>()) {
        loot.extend(ptrace::read(victim, address as *mut _)?.to_ne_bytes());
    }
    loot.truncate(length);
    Ok(loot)
}

#[cfg(target_os = "linux")]
fn become_tracer(victim: Pid) -> io::Result<()> {
    Ok(ptrace::seize(victim, Options::empty())?)
}

/// The kernel ends it with this process.
#[cfg(target_os = "linux")]
fn leave(_victim: Pid) -> io::Result<()> {
    Ok(())
}

/// To be traced is to be stopped here.
#[cfg(target_os = "macos")]
fn become_tracer(victim: Pid) -> io::Result<()> {
    Ok(ptrace::attach(victim)?)
}

/// A process that is still traced when its tracer ends is killed.
#[cfg(target_os = "macos")]
fn leave(victim: Pid) -> io::Result<()> {
    waitpid(victim, None)?;
    Ok(ptrace::detach(victim, None)?)
}
