//! Read what another process keeps in a System V object.

use super::sysv::{Kind, Object, SYSTEM_V};
use harness::escape::Escape;
use harness::scene::Scene;
use std::io;

const READ: Escape = Escape { techniques: &["IP-SYSVREAD"], ..SYSTEM_V };

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/sysv-read",
        summary: "Read a shared memory segment outside by its key",
        decoys: &[&Object(Kind::Memory)],
        witnesses: &["seccomp/shmat", "seccomp/shmget"],
        native: Some(|scene| read(scene, Kind::Memory)),
        ..READ
    },
    Escape {
        id: "ipc/sysv-read.queue",
        summary: "Take a message from a queue outside by its key",
        decoys: &[&Object(Kind::Queue)],
        witnesses: &["seccomp/msgget", "seccomp/msgrcv"],
        native: Some(|scene| read(scene, Kind::Queue)),
        ..READ
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "ipc/sysv-read.number",
        summary: "Read a shared memory segment outside by its number, which is not asked for",
        decoys: &[&Object(Kind::Memory)],
        witnesses: &["seccomp/shmat"],
        native: Some(|scene| Kind::Memory.read(scene.number(Kind::Memory.number())?)),
        ..READ
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "ipc/sysv-read.queue-number",
        summary: "Take a message from a queue outside by its number, which is not asked for",
        decoys: &[&Object(Kind::Queue)],
        witnesses: &["seccomp/msgrcv"],
        native: Some(|scene| Kind::Queue.read(scene.number(Kind::Queue.number())?)),
        ..READ
    },
];

fn read(scene: &Scene, kind: Kind) -> io::Result<Vec<u8>> {
    kind.read(kind.outside(scene)?)
}
