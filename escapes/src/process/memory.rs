//! Copy memory between an own buffer and a process outside, without tracing it.

use super::victim;
use crate::fs_write::effect::done;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const COPY: Escape = Escape {
    techniques: &["KP-PTRACE"],
    references: &["https://man7.org/linux/man-pages/man2/process_vm_readv.2.html"],
    decoys: &[VICTIM],
    stops: &[
        Layer::Landlock,
        Layer::Seccomp,
        Layer::MountNamespace,
        Layer::OtherNamespace,
        Layer::Seatbelt,
    ],
    // As for tracing: an unconfined program is refused only where the host refuses everybody.
    absent: &[libc::ENOSYS, libc::EPERM],
    twin: Twin::Memory,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "process/memory",
        summary: "Read the memory of a process outside",
        witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/process_vm_readv"],
        native: Some(|scene| read(scene, victim::token(scene)?)),
        ..COPY
    },
    Escape {
        id: "process/memory.write",
        summary: "Write into the memory of a process outside",
        witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/process_vm_writev"],
        native: Some(|scene| done(write(scene, victim::beside_token(scene)?))),
        ..COPY
    },
];

#[cfg(target_os = "linux")]
fn read(scene: &Scene, (base, len): (usize, usize)) -> io::Result<Vec<u8>> {
    use nix::sys::uio::{RemoteIoVec, process_vm_readv};
    let mut loot = vec![0; len];
    let own = &mut [io::IoSliceMut::new(&mut loot)];
    let victim = nix::unistd::Pid::from_raw(scene.number("victim")?);
    process_vm_readv(victim, own, &[RemoteIoVec { base, len }])?;
    Ok(loot)
}

#[cfg(target_os = "linux")]
fn write(scene: &Scene, base: usize) -> io::Result<()> {
    use nix::sys::uio::{RemoteIoVec, process_vm_writev};
    let victim = nix::unistd::Pid::from_raw(scene.number("victim")?);
    process_vm_writev(victim, &[io::IoSlice::new(b"!")], &[RemoteIoVec { base, len: 1 }])?;
    Ok(())
}

/// By its task port, which the system gives to root and to debuggers that are signed for it.
#[cfg(target_os = "macos")]
fn read(scene: &Scene, (address, length): (usize, usize)) -> io::Result<Vec<u8>> {
    crate::raw::task::Task::of(scene.number("victim")?)?.read(address, length)
}

#[cfg(target_os = "macos")]
fn write(scene: &Scene, address: usize) -> io::Result<()> {
    crate::raw::task::Task::of(scene.number("victim")?)?.write(address, b"!")
}
