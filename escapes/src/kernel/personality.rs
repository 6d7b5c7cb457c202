//! Choose another execution domain: it switches protections of the own memory off, and of all that the
//! program becomes.

use super::state::changed;
use crate::raw;
use fixtures::watch::state::PERSONALITY;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const DOMAIN: Escape = Escape {
    techniques: &["KP-PERSONALITY"],
    references: &["https://man7.org/linux/man-pages/man2/personality.2.html"],
    decoys: &[PERSONALITY],
    stops: &[Layer::Seccomp],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/personality",
        summary: "Switch the randomness of addresses off",
        witnesses: &["seccomp/personality"],
        native: Some(|scene| set(scene, libc::ADDR_NO_RANDOMIZE)),
        ..DOMAIN
    },
    Escape {
        id: "kernel/personality.execute",
        summary: "Make all memory that can be read executable",
        witnesses: &["seccomp/personality"],
        native: Some(|scene| set(scene, libc::READ_IMPLIES_EXEC)),
        ..DOMAIN
    },
];

fn set(scene: &Scene, flag: i32) -> io::Result<Vec<u8>> {
    /// The value that only asks.
    const ASK: usize = 0xffff_ffff;
    let before = domain(ASK)?;
    changed(
        scene,
        || domain(before | flag as usize).map(|_before| ()),
        || domain(before).map(|_changed| ()),
    )
}

/// Sets the domain and returns the one before.
fn domain(domain: usize) -> io::Result<usize> {
    let before = raw::call(libc::SYS_personality, [domain, 0, 0, 0, 0, 0])?;
    usize::try_from(before).map_err(io::Error::other)
}
