//! A ring takes file calls that no system-call filter sees: they are entries in shared memory, and
//! the filter is asked about the ring's own calls only.

use crate::raw;
use crate::ring::operation::OPENAT2;
use crate::ring::{HERE, NO_RINGS, Ring};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;

const RING: Escape = Escape {
    techniques: &["FR-IOURINGOPEN"],
    references: &[
        "https://github.com/moby/moby/pull/39415",
        "https://github.com/containerd/containerd/pull/9320",
        "https://man7.org/linux/man-pages/man7/io_uring.7.html",
    ],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
    absent: NO_RINGS,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/io-uring",
        summary: "Open a secret and read it by entries of an io_uring",
        witnesses: &["landlock/read-file", "seccomp/io_uring_enter", "seccomp/io_uring_setup"],
        native: Some(|scene| read(scene, |ring, path| ring.open(path, libc::O_RDONLY))),
        ..RING
    },
    Escape {
        id: "fs-read/io-uring.openat2",
        summary: "Open a secret by an openat2 entry of an io_uring and read it by another",
        witnesses: &["landlock/read-file", "seccomp/io_uring_enter", "seccomp/io_uring_setup"],
        native: Some(|scene| read(scene, openat2)),
        ..RING
    },
];

/// The entry has the place of a `struct open_how` in the place of an offset: flags (none is read-only), mode,
/// resolve.
fn openat2(ring: &mut Ring, path: &CStr) -> io::Result<OwnedFd> {
    let how = [0_u64; 3];
    let (start, length) = (how.as_ptr() as u64, size_of_val(&how) as u32);
    Ok(raw::adopt(ring.perform([OPENAT2, HERE], start, path.as_ptr() as u64, length)?))
}

fn read(
    scene: &Scene,
    open: impl Fn(&mut Ring, &CStr) -> io::Result<OwnedFd>,
) -> io::Result<Vec<u8>> {
    let path = CString::new(scene.clue("secret")?.as_bytes())?;
    let mut ring = Ring::new()?;
    let file = open(&mut ring, &path)?;
    ring.read(&file, 4096)
}
