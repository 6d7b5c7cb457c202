//! Changing names, content and attributes outside by entries of a ring: the filter is asked about the ring's
//! own calls only, and the worker that carries an entry out is one of the kernel's threads.

use super::effect::done;
use crate::ring::operation::{LINKAT, MKDIRAT, RENAMEAT, SETXATTR, SYMLINKAT, UNLINKAT};
use crate::ring::{HERE, NO_SUCH_ENTRY, Ring};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::{fs, io};

const RING: Escape = Escape {
    references: &[
        "https://man7.org/linux/man-pages/man2/io_uring_enter.2.html",
        "https://github.com/moby/moby/pull/39415",
    ],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
    absent: NO_SUCH_ENTRY,
    ..Escape::BLANK
};

/// One operation, and the right of Landlock that is asked for it.
macro_rules! entry {
    ($id:literal, $what:literal, $technique:literal, $right:literal, $act:ident) => {
        Escape {
            id: concat!("fs-write/io-uring", $id),
            summary: concat!($what, " outside by an entry of an io_uring"),
            techniques: &[$technique],
            witnesses: &[$right, "seccomp/io_uring_enter", "seccomp/io_uring_setup"],
            native: Some($act),
            ..RING
        }
    };
}

pub(super) const ESCAPES: &[Escape] = &[
    entry!("", "Write to a file", "FW-WRITE", "landlock/write-file", write),
    entry!(".create", "Make a file", "FW-CREATE", "landlock/make-reg", create),
    entry!(".directory", "Make a directory", "FW-CREATE", "landlock/make-dir", directory),
    entry!(".symlink", "Make a symbolic link", "FW-CREATE", "landlock/make-sym", symlink),
    entry!(".delete", "Remove a file", "FW-DELETE", "landlock/remove-file", delete),
    entry!(".replace", "Replace a file", "FW-RENAMEOVER", "layer/landlock", replace),
    entry!(".name", "Give an own file a second name", "FW-MOVEOUT", "layer/landlock", name),
    Escape {
        id: "fs-write/io-uring.attribute",
        summary: "Set an attribute of a file outside by an entry of an io_uring",
        techniques: &["FW-SETXATTR"],
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["seccomp/io_uring_enter", "seccomp/io_uring_setup"],
        native: Some(attribute),
        ..RING
    },
];

fn text(path: PathBuf) -> io::Result<CString> {
    Ok(CString::new(path.into_os_string().into_vec())?)
}

fn place(text: &CStr) -> u64 {
    text.as_ptr() as u64
}

fn made(scene: &Scene) -> io::Result<CString> {
    text(scene.path("outside")?.join("made"))
}

fn own(scene: &Scene) -> io::Result<CString> {
    let own = scene.run().join("own");
    fs::write(&own, b"moved")?;
    text(own)
}

fn write(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = text(scene.path("writable")?)?;
    let mut ring = Ring::new()?;
    let file = ring.open(&path, libc::O_WRONLY)?;
    done(ring.write(&file, b"changed"))
}

fn create(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = made(scene)?;
    done(Ring::new()?.open(&path, libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL))
}

fn directory(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = made(scene)?;
    done(Ring::new()?.perform([MKDIRAT, HERE], 0, place(&path), 0o700))
}

fn symlink(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = made(scene)?;
    done(Ring::new()?.perform([SYMLINKAT, HERE], place(&path), place(c"/dev/null"), 0))
}

fn delete(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = text(scene.path("writable")?)?;
    done(Ring::new()?.perform([UNLINKAT, HERE], 0, place(&path), 0))
}

fn replace(scene: &Scene) -> io::Result<Vec<u8>> {
    let (own, path) = (own(scene)?, text(scene.path("writable")?)?);
    // The second directory stands in the place of the length.
    done(Ring::new()?.perform([RENAMEAT, HERE], place(&path), place(&own), HERE))
}

fn name(scene: &Scene) -> io::Result<Vec<u8>> {
    let (own, path) = (own(scene)?, made(scene)?);
    done(Ring::new()?.perform([LINKAT, HERE], place(&path), place(&own), HERE))
}

fn attribute(scene: &Scene) -> io::Result<Vec<u8>> {
    let (path, value) = (text(scene.path("writable")?)?, c"1");
    let (name, third) = (place(c"user.planted"), place(&path));
    done(Ring::new()?.perform_with([SETXATTR, 0], place(value), name, 1, 0, third))
}
