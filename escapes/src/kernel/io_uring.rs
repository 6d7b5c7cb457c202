//! Set up a ring of calls: what is put there is done without any system call that a filter could see.

use super::hold::hold;
use crate::ring::NO_RINGS;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const RING: Escape = Escape {
    techniques: &["KP-IOURING"],
    references: &[
        "https://man7.org/linux/man-pages/man2/io_uring_setup.2.html",
        "https://github.com/containerd/containerd/pull/9320",
    ],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp],
    absent: NO_RINGS,
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/io-uring",
        summary: "Set up a ring of calls that pass by the filter",
        witnesses: &["seccomp/io_uring_setup"],
        native: Some(|scene| set_up(scene, 0)),
        ..RING
    },
    Escape {
        id: "kernel/io-uring.polled",
        summary: "Set up a ring whose calls are made by a thread of the kernel",
        witnesses: &["seccomp/io_uring_setup"],
        native: Some(|scene| {
            /// `IORING_SETUP_SQPOLL`, `linux/io_uring.h`.
            const POLLED: u32 = 1 << 1;
            set_up(scene, POLLED)
        }),
        ..RING
    },
];

fn set_up(scene: &Scene, flags: u32) -> io::Result<Vec<u8>> {
    // `struct io_uring_params`: two lengths that the kernel sets, the flags, and more.
    let mut parameters = [0_u32; 30];
    if let Some(place) = parameters.get_mut(2) {
        *place = flags;
    }
    let parameters = parameters.as_mut_ptr() as usize;
    hold(scene, libc::SYS_io_uring_setup, [1, parameters, 0, 0, 0, 0], "anon_inode:[io_uring]")
}
