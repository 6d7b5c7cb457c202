//! A ring takes file calls that no system-call filter sees: they are entries in shared memory, and
//! the filter is asked about the ring's own calls only.

use crate::raw;
use crate::ring::Ring;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::ffi::CString;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;

const RING: Escape = Escape {
    techniques: &["FR-IOURINGOPEN"],
    references: &[
        "https://github.com/moby/moby/pull/39415",
        "https://github.com/containerd/containerd/pull/9320",
        "https://man7.org/linux/man-pages/man7/io_uring.7.html",
    ],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
    // An unconfined process is refused a ring only where the host has switched rings off
    // (kernel.io_uring_disabled).
    absent: &[libc::ENOSYS, libc::EPERM],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/io-uring",
        summary: "Open a secret and read it by entries of an io_uring",
        witnesses: &["landlock/read-file", "seccomp/io_uring_enter", "seccomp/io_uring_setup"],
        native: Some(|scene| read(scene, [OPENAT, libc::AT_FDCWD as u32], 0)),
        ..RING
    },
    Escape {
        id: "fs-read/io-uring.openat2",
        summary: "Open a secret by an openat2 entry of an io_uring and read it by another",
        witnesses: &["landlock/read-file", "seccomp/io_uring_enter", "seccomp/io_uring_setup"],
        native: Some(|scene| {
            read(scene, [OPENAT2, libc::AT_FDCWD as u32], OPEN_HOW.as_ptr() as u64)
        }),
        ..RING
    },
];

const OPENAT: u32 = 18;
const READ: u32 = 22;
const OPENAT2: u32 = 28;

/// `struct open_how`: flags (none is read-only), mode, resolve.
const OPEN_HOW: [u64; 3] = [0; 3];

/// The start of an entry is the operation and its descriptor; `offset` is the field that openat2
/// uses for a pointer.
fn read(scene: &Scene, open: [u32; 2], offset: u64) -> io::Result<Vec<u8>> {
    let path = CString::new(scene.clue("secret")?.as_bytes())?;
    let mut ring = Ring::new()?;
    let length = if offset == 0 { 0 } else { size_of_val(&OPEN_HOW) as u32 };
    let file = ring.perform(open, offset, path.as_ptr() as u64, length)?;
    let file = raw::adopt(file);
    let mut loot = vec![0; 4096];
    let (address, length) = (loot.as_mut_ptr() as u64, loot.len() as u32);
    let count = ring.perform([READ, file.as_raw_fd() as u32], 0, address, length)?;
    loot.truncate(usize::try_from(count).unwrap_or(0));
    Ok(loot)
}
