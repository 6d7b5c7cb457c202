//! Change what another process keeps in a System V object.

use super::sysv::{Kind, Object, SYSTEM_V};
use harness::escape::Escape;
use harness::scene::Scene;
use std::io;

const WRITE: Escape = Escape { techniques: &["IP-SYSVREAD"], ..SYSTEM_V };

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/sysv-write",
        summary: "Overwrite a shared memory segment outside",
        decoys: &[&Object(Kind::Memory)],
        witnesses: &["seccomp/shmat", "seccomp/shmget"],
        native: Some(|scene| write(scene, Kind::Memory)),
        ..WRITE
    },
    Escape {
        id: "ipc/sysv-write.queue",
        summary: "Send a message to a queue outside, in place of the one that waits there",
        decoys: &[&Object(Kind::Queue)],
        witnesses: &["seccomp/msgget", "seccomp/msgrcv", "seccomp/msgsnd"],
        native: Some(|scene| {
            let identifier = Kind::Queue.outside(scene)?;
            Kind::Queue.write(identifier, scene.nonce().as_bytes())?;
            Kind::Queue.read(identifier)
        }),
        ..WRITE
    },
    Escape {
        id: "ipc/sysv-write.semaphore",
        summary: "Set the value of a semaphore outside",
        decoys: &[&Object(Kind::Semaphore)],
        witnesses: &["seccomp/semctl", "seccomp/semget"],
        native: Some(|scene| write(scene, Kind::Semaphore)),
        ..WRITE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "ipc/sysv-write.semaphore-number",
        summary: "Set the value of a semaphore outside by its number, which is not asked for",
        decoys: &[&Object(Kind::Semaphore)],
        witnesses: &["seccomp/semctl"],
        native: Some(|scene| {
            let number = scene.number(Kind::Semaphore.number())?;
            Kind::Semaphore.write(number, scene.nonce().as_bytes())?;
            Ok(Vec::new())
        }),
        ..WRITE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "ipc/sysv-write.semaphore-step",
        summary: "Let somebody pass at a semaphore outside who was to wait, by its number alone",
        references: STEP,
        decoys: &[&Object(Kind::Semaphore)],
        witnesses: &["seccomp/semop"],
        native: Some(|scene| step(scene, libc::SYS_semop)),
        ..WRITE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "ipc/sysv-write.semaphore-step-timed",
        summary: "Do the same by the call that would wait for a time only",
        references: STEP,
        decoys: &[&Object(Kind::Semaphore)],
        witnesses: &["seccomp/semtimedop"],
        native: Some(|scene| step(scene, libc::SYS_semtimedop)),
        ..WRITE
    },
];

#[cfg(target_os = "linux")]
const STEP: &[&str] = &[
    "https://man7.org/linux/man-pages/man2/semop.2.html",
    "https://github.com/landlock-lsm/linux/issues/30",
];

/// Adds one, by a call that takes the number of the set.
#[cfg(target_os = "linux")]
fn step(scene: &Scene, call: i64) -> io::Result<Vec<u8>> {
    // `struct sembuf`: the first of the set, one more, no flags.
    let add = [0_u16, 1, 0];
    let number = scene.number(Kind::Semaphore.number())?;
    crate::raw::call(call, [number, add.as_ptr() as usize, 1, 0, 0, 0])?;
    Ok(Vec::new())
}

fn write(scene: &Scene, kind: Kind) -> io::Result<Vec<u8>> {
    let identifier = kind.outside(scene)?;
    kind.write(identifier, scene.nonce().as_bytes())?;
    Ok(Vec::new())
}
