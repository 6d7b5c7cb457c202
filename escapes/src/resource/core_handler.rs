//! Lower the limit of core dumps, from the one byte that keeps the host's handler from being started to none, with which
//! it is: the next crash has the kernel run it, as root, on memory that the program chose.

use super::stay::{self, LIMIT};
use crate::raw;
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const HANDLER: Escape = Escape {
    techniques: &["RA-RLIMITRAISE", "FR-COREDUMP"],
    references: &["https://man7.org/linux/man-pages/man5/core.5.html", "CWE-528"],
    decoys: &[&Usage { what: What::CoreHandler, above: 0, milliseconds: 0 }],
    stops: &[Layer::Seccomp],
    twin: Twin::OwnProcess,
    ..LIMIT
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "resource/core-handler",
        summary: "Allow oneself no byte of a core any more, which starts the handler of the host",
        witnesses: &["seccomp/prlimit64", "hook/resource.*"],
        native: Some(|scene| {
            let own = std::process::id() as usize;
            let by = |process| move |limit| (libc::SYS_prlimit64, [process, CORE, limit, 0, 0, 0]);
            lower(scene, &[&by(0), &by(own)])
        }),
        python: Some(concat!(include_str!("stay.py"), include_str!("core_handler.py"))),
        ..HANDLER
    },
    Escape {
        id: "resource/core-handler.old",
        summary: "Allow oneself no byte of a core by the call that came first",
        witnesses: &["seccomp/setrlimit"],
        native: Some(|scene| {
            lower(scene, &[&|limit| (libc::SYS_setrlimit, [CORE, limit, 0, 0, 0, 0])])
        }),
        ..HANDLER
    },
];

const CORE: usize = libc::RLIMIT_CORE as usize;

/// Its lower half is null, for a filter that looks at no more.
const PLACE: usize = 7 << 32;

/// Lowers both limits in any of some ways.
fn lower(scene: &Scene, ways: &[&dyn Fn(usize) -> (i64, [usize; 6])]) -> io::Result<Vec<u8>> {
    let (protection, flags) = (libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    let flags = flags | libc::MAP_FIXED_NOREPLACE;
    // An untouched page is a pair of zeroes.
    let place = [PLACE, 1, protection as usize, flags as usize, usize::MAX, 0];
    raw::call(libc::SYS_mmap, place)?;
    let mut outcome = Err(io::ErrorKind::InvalidInput.into());
    for way in ways {
        let (number, arguments) = way(PLACE);
        outcome = raw::call(number, arguments);
        if outcome.is_ok() {
            break;
        }
    }
    outcome?;
    stay::idle(scene)
}
