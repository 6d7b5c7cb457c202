//! Take a limit back: the one of core dumps, which the launcher has set for the program.

use super::stay::{self, LIMIT};
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::resource::{Resource, setrlimit};
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/raise-limit",
    summary: "Allow oneself core dumps again, which are files and handlers of the host",
    techniques: &["RA-RLIMITRAISE"],
    references: &[
        "https://github.com/blackav/ejudge/issues/7",
        "https://man7.org/linux/man-pages/man5/core.5.html",
    ],
    decoys: &[&Usage { what: What::CoreLimit, above: 1, milliseconds: 0 }],
    stops: &[Layer::Limits, Layer::Seccomp, Layer::Hygiene],
    witnesses: &["hygiene/no-core-dump", "seccomp/prlimit64"],
    // The host's own limit allows none.
    absent: &[libc::ENOSYS, libc::EPERM],
    twin: Twin::OwnProcess,
    native: Some(raise),
    python: Some(concat!(include_str!("stay.py"), include_str!("raise_limit.py"))),
    ..LIMIT
}];

fn raise(scene: &Scene) -> io::Result<Vec<u8>> {
    setrlimit(Resource::RLIMIT_CORE, 4096, 4096)?;
    stay::idle(scene)
}
