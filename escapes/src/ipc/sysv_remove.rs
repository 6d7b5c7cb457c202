//! Remove a System V object of another process.

use super::sysv::{Kind, Object};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const REMOVE: Escape = Escape {
    techniques: &["IP-SYSVRMID"],
    references: &[
        "https://man7.org/linux/man-pages/man7/sysvipc.7.html",
        "https://github.com/landlock-lsm/linux/issues/30",
    ],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt],
    twin: Twin::Memory,
    ..Escape::BLANK
};

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
    kind.remove(kind.get(scene.number(kind.clue())?, 0)?)?;
    Ok(Vec::new())
}
