//! Read what another process keeps in a System V object.

use super::sysv::{Kind, Object};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const READ: Escape = Escape {
    techniques: &["IP-SYSVREAD"],
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
    kind.read(kind.get(scene.number(kind.clue())?, 0)?)
}
