//! Make a file that is in no directory: no rule about paths knows it, and it can be executed.

use super::hold::hold;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const FILE: Escape = Escape {
    techniques: &["KP-MEMFDSECRET"],
    references: &[
        "https://man7.org/linux/man-pages/man2/memfd_create.2.html",
        "https://attack.mitre.org/techniques/T1620/",
    ],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/memory-file",
        summary: "Make a file in memory, which raises no audit event",
        witnesses: &["seccomp/memfd_create"],
        native: Some(|scene| make(scene, 0)),
        python: Some(include_str!("memory_file.py")),
        ..FILE
    },
    Escape {
        id: "kernel/memory-file.executable",
        summary: "Make a file in memory that may be executed, and say so",
        witnesses: &["seccomp/memfd_create"],
        // Kernels before 6.3 know no such flag.
        absent: &[libc::ENOSYS, libc::EINVAL],
        native: Some(|scene| {
            /// `MFD_EXEC`, `linux/memfd.h`.
            const EXECUTABLE: usize = 1 << 4;
            make(scene, EXECUTABLE)
        }),
        ..FILE
    },
];

fn make(scene: &Scene, flags: usize) -> io::Result<Vec<u8>> {
    let name = c"kept".as_ptr() as usize;
    hold(scene, libc::SYS_memfd_create, [name, flags, 0, 0, 0, 0], "/memfd:kept")
}
