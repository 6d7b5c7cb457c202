//! Make memory that not even the kernel can read: nobody finds what a program hides there.

use super::hold::hold;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "kernel/secret-memory",
    summary: "Make memory that the kernel itself cannot read",
    techniques: &["KP-MEMFDSECRET"],
    references: &["https://man7.org/linux/man-pages/man2/memfd_secret.2.html"],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp],
    witnesses: &["seccomp/memfd_secret"],
    twin: Twin::Memory,
    native: Some(|scene| hold(scene, libc::SYS_memfd_secret, [0; 6], "secretmem")),
    ..Escape::BLANK
}];
