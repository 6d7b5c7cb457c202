//! Take a share of what all processes of a host have in common, whoever's they are. With the whole of it no
//! database would get any more; the share is small and goes with the program.

use super::share::Count;
use crate::raw;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::fs;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "kernel/host-quota",
    summary: "Take the requests that may be under way at once for all processes of the host, by io_setup",
    techniques: &["KP-KEYRINGQUOTA"],
    references: &["https://man7.org/linux/man-pages/man2/io_setup.2.html", "CWE-770"],
    decoys: &[&REQUESTS],
    stops: &[Layer::Seccomp],
    witnesses: &["seccomp/io_setup"],
    // Nothing is left of it, or this kernel has none.
    absent: &[libc::ENOSYS, libc::EAGAIN],
    twin: Twin::OwnFile,
    native: Some(take),
    ..Escape::BLANK
}];

const CLAIM: &str = "requests";

/// The requests that this takes, of 65536 as the kernel comes.
const SHARE: usize = 4096;

fn take(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut context = 0_usize;
    raw::call(libc::SYS_io_setup, [SHARE, &raw mut context as usize, 0, 0, 0, 0])?;
    let shown = scene.show(CLAIM);
    let _goes_with_the_program = raw::call(libc::SYS_io_destroy, [context, 0, 0, 0, 0, 0]);
    shown.map(|()| Vec::new())
}

/// Requests that are taken on the whole host.
const REQUESTS: Count =
    Count { claim: CLAIM, what: "requests are taken on this host", now: taken, felt: SHARE as u64 };

/// `aio-nr`, `Documentation/admin-guide/sysctl/fs.rst`. A kernel without such requests has no such file.
fn taken() -> io::Result<u64> {
    match fs::read_to_string("/proc/sys/fs/aio-nr") {
        Ok(text) => text.trim().parse().map_err(io::Error::other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error),
    }
}
