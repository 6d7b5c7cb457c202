//! Remove a System V object of another process.

use super::sysv::{Kind, Object, SYSTEM_V};
use harness::escape::Escape;
use harness::scene::Scene;
use std::io;

const REMOVE: Escape = Escape { techniques: &["IP-SYSVRMID"], ..SYSTEM_V };

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/sysv-remove",
        summary: "Remove a shared memory segment outside",
        decoys: &[&Object(Kind::Memory)],
        witnesses: &["seccomp/shmctl", "seccomp/shmget"],
        native: Some(|scene| remove(scene, Kind::Memory)),
        ..REMOVE
    },
    Escape {
        id: "ipc/sysv-remove.queue",
        summary: "Remove a message queue outside",
        decoys: &[&Object(Kind::Queue)],
        witnesses: &["seccomp/msgctl", "seccomp/msgget"],
        native: Some(|scene| remove(scene, Kind::Queue)),
        ..REMOVE
    },
    Escape {
        id: "ipc/sysv-remove.semaphore",
        summary: "Remove a semaphore outside",
        decoys: &[&Object(Kind::Semaphore)],
        witnesses: &["seccomp/semctl", "seccomp/semget"],
        native: Some(|scene| remove(scene, Kind::Semaphore)),
        ..REMOVE
    },
];

fn remove(scene: &Scene, kind: Kind) -> io::Result<Vec<u8>> {
    kind.remove(kind.outside(scene)?)?;
    Ok(Vec::new())
}
