//! Leave a System V object behind: it lives in the kernel until somebody removes it, whoever made it.

use super::sysv::{FreeKey, Kind, SYSTEM_V};
use harness::escape::Escape;
use harness::scene::Scene;
use std::io;

const PERSIST: Escape = Escape { techniques: &["IP-SYSVPERSIST"], ..SYSTEM_V };

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/sysv-persist",
        summary: "Leave a shared memory segment in the kernel",
        decoys: &[&FreeKey(Kind::Memory)],
        witnesses: &["seccomp/shmget"],
        native: Some(|scene| leave(scene, Kind::Memory)),
        ..PERSIST
    },
    Escape {
        id: "ipc/sysv-persist.queue",
        summary: "Leave a message queue in the kernel",
        decoys: &[&FreeKey(Kind::Queue)],
        witnesses: &["seccomp/msgget"],
        native: Some(|scene| leave(scene, Kind::Queue)),
        ..PERSIST
    },
    Escape {
        id: "ipc/sysv-persist.semaphore",
        summary: "Leave a semaphore in the kernel",
        decoys: &[&FreeKey(Kind::Semaphore)],
        witnesses: &["seccomp/semget"],
        native: Some(|scene| leave(scene, Kind::Semaphore)),
        ..PERSIST
    },
];

fn leave(scene: &Scene, kind: Kind) -> io::Result<Vec<u8>> {
    let identifier = kind.get(scene.number(kind.clue())?, libc::IPC_CREAT | 0o600)?;
    kind.write(identifier, scene.nonce().as_bytes())?;
    Ok(Vec::new())
}
