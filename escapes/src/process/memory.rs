//! Copy memory between an own buffer and a process outside, without tracing it.

use super::victim;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use nix::sys::uio::{RemoteIoVec, process_vm_readv, process_vm_writev};
use nix::unistd::Pid;
use std::io::{IoSlice, IoSliceMut};

const COPY: Escape = Escape {
    techniques: &["KP-PTRACE"],
    references: &["https://man7.org/linux/man-pages/man2/process_vm_readv.2.html"],
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace, Layer::OtherNamespace],
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
        native: Some(|scene| {
            let (base, len) = victim::token(scene)?;
            let mut loot = vec![0; len];
            let own = &mut [IoSliceMut::new(&mut loot)];
            process_vm_readv(
                Pid::from_raw(scene.number("victim")?),
                own,
                &[RemoteIoVec { base, len }],
            )?;
            Ok(loot)
        }),
        ..COPY
    },
    Escape {
        id: "process/memory.write",
        summary: "Write into the memory of a process outside",
        witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/process_vm_writev"],
        native: Some(|scene| {
            process_vm_writev(
                Pid::from_raw(scene.number("victim")?),
                &[IoSlice::new(b"!")],
                &[RemoteIoVec { base: victim::beside_token(scene)?, len: 1 }],
            )?;
            Ok(Vec::new())
        }),
        ..COPY
    },
];
