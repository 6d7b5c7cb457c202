//! Take more memory than allowed, and touch it.

use super::stay::{self, LIMIT};
use backends::policy::Bound;
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Limit};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

/// What the limit allows of address space, which is more than what is used.
const ALLOWED: u64 = 256 << 20;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/memory",
    summary: "Take 288 MiB of memory where 256 MiB of address space are allowed, and touch it",
    techniques: &["RA-MEM"],
    references: &[
        "https://github.com/containers/bubblewrap/pull/192",
        "https://man7.org/linux/man-pages/man2/setrlimit.2.html",
    ],
    limit: Some(Limit {
        narrow: |limits| limits.address_space_bytes = Bound::At(ALLOWED),
        errnos: &[libc::ENOMEM],
        exceptions: &["MemoryError"],
        ..Limit::BLANK
    }),
    decoys: &[&Usage { what: What::Memory, above: ALLOWED, milliseconds: 0 }],
    witnesses: &["limits/address-space"],
    twin: Twin::Memory,
    native: Some(take),
    python: Some(concat!(include_str!("stay.py"), include_str!("memory.py"))),
    ..LIMIT
}];

fn take(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut held: Vec<Vec<u8>> = Vec::new();
    for _ in 0..18 {
        let mut part = Vec::new();
        part.try_reserve_exact(16 << 20)
            .map_err(|_error| io::Error::from_raw_os_error(libc::ENOMEM))?;
        part.resize(16 << 20, 1);
        held.push(part);
    }
    let ended = stay::idle(scene);
    drop(held);
    ended
}
