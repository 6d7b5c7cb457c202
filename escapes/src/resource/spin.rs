//! Burn CPU time in several threads, in code that looks at no signal.

use super::stay::{self, LIMIT};
use backends::policy::Bound;
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Finish, Limit};
use harness::scene::Scene;
use harness::twin::Twin;
use std::hint::black_box;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/spin",
    summary: "Use more CPU time than allowed, in two threads at once",
    techniques: &["RA-CPUSPIN"],
    references: &[
        "https://man7.org/linux/man-pages/man2/setrlimit.2.html",
        "https://github.com/DMOJ/judge-server/pull/1176",
    ],
    limit: Some(Limit {
        narrow: |limits| limits.cpu_seconds = Bound::At(1),
        ends: &[Finish::CpuTimeExceeded],
        ..Limit::BLANK
    }),
    decoys: &[&Usage { what: What::CpuTime, above: 1_500, milliseconds: 0 }],
    witnesses: &["limits/cpu-time"],
    twin: Twin::Thread,
    native: Some(|scene| {
        let other = scene.clone();
        let thread = std::thread::Builder::new().spawn(move || spin(&other))?;
        let ended = spin(scene);
        let _same = thread.join();
        ended
    }),
    python: Some(concat!(include_str!("stay.py"), include_str!("spin.py"))),
    ..LIMIT
}];

fn spin(scene: &Scene) -> io::Result<Vec<u8>> {
    stay::until_seen(scene, || {
        let _product =
            (1..100_000_u64).fold(1_u64, |product, n| black_box(product.wrapping_mul(n)));
    })
}
