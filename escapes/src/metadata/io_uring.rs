//! Looking at files outside by entries of a ring, of which a filter sees nothing.

use super::decoy::{Spelled, spell_numbers};
use crate::ring::operation::{GETXATTR, STATX};
use crate::ring::{HERE, NO_SUCH_ENTRY, Ring};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::cell::RefCell;
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

const RING: Escape = Escape {
    references: &["https://man7.org/linux/man-pages/man2/io_uring_enter.2.html"],
    stops: &[Layer::Seccomp, Layer::MountNamespace],
    witnesses: &["seccomp/io_uring_enter", "seccomp/io_uring_setup"],
    absent: NO_SUCH_ENTRY,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/io-uring",
        summary: "Read an extended attribute of a file outside by an entry of an io_uring",
        techniques: &["FM-GETXATTR"],
        native: Some(attribute),
        ..RING
    },
    Escape {
        id: "metadata/io-uring.stat",
        summary: "Learn the sizes and times of files outside by entries of an io_uring",
        techniques: &["FM-STAT"],
        decoys: &[&Spelled::Numbers],
        native: Some(|scene| {
            let ring = RefCell::new(Ring::new()?);
            spell_numbers(scene, |path| stat(&mut ring.borrow_mut(), path))
        }),
        ..RING
    },
];

fn attribute(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = CString::new(scene.clue("attributed")?.as_bytes())?;
    let mut value = vec![0_u8; 256];
    let (name, room) = (c"user.decoy".as_ptr() as u64, value.len() as u32);
    let start = value.as_mut_ptr() as u64;
    let third = path.as_ptr() as u64;
    let length = Ring::new()?.perform_with([GETXATTR, 0], start, name, room, 0, third)?;
    value.truncate(usize::try_from(length).unwrap_or(0));
    Ok(value)
}

/// `struct statx` in words of eight bytes: the size is the sixth, the seconds of the modification the
/// fifteenth.
fn stat(ring: &mut Ring, path: &Path) -> io::Result<(u64, i64)> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let mut buffer = [0_u64; 32];
    let wanted = libc::STATX_SIZE | libc::STATX_MTIME;
    let start = buffer.as_mut_ptr() as u64;
    ring.perform([STATX, HERE], start, path.as_ptr() as u64, wanted)?;
    Ok((buffer[5], buffer[14].cast_signed()))
}
