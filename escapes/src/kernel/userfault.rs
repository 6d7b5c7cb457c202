//! Handle the own page faults: a kernel that copies from such memory stops where the program wants, and
//! for how long it wants. Exploits of races are made with it.

use super::hold::hold;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const FAULT: Escape = Escape {
    techniques: &["KP-USERFAULT"],
    references: &[
        "https://man7.org/linux/man-pages/man2/userfaultfd.2.html",
        "https://duasynt.com/blog/linux-kernel-heap-spray",
    ],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp],
    twin: Twin::Memory,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/userfault",
        summary: "Handle the page faults of the own program",
        witnesses: &["seccomp/userfaultfd"],
        native: Some(|scene| handle(scene, USER_MODE_ONLY)),
        ..FAULT
    },
    Escape {
        id: "kernel/userfault.kernel",
        summary: "Handle page faults of the kernel too, and so stop it in the middle of a copy",
        needs: &[Need::Capability(19, "CAP_SYS_PTRACE")],
        witnesses: &["hygiene/capabilities", "seccomp/userfaultfd"],
        // The capability is not what stops it where `vm.unprivileged_userfaultfd` lets everybody.
        native: Some(|scene| handle(scene, 0)),
        ..FAULT
    },
];

/// `linux/userfaultfd.h`.
const USER_MODE_ONLY: usize = 1;

fn handle(scene: &Scene, flags: usize) -> io::Result<Vec<u8>> {
    hold(scene, libc::SYS_userfaultfd, [flags, 0, 0, 0, 0, 0], "anon_inode:[userfaultfd]")
}
