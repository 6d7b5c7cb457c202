//! A file outside that the launcher has left open for writing. Rights are checked when a file is
//! opened, so nothing but the launcher can prevent what follows.

use super::effect::done;
use crate::raw;
use fixtures::watch::inherited::{INHERITED_PIPE_WRITE, INHERITED_WRITE};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::ftruncate;
#[cfg(target_os = "linux")]
use rustix::fs::{FallocateFlags, fallocate};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::sync::atomic::Ordering;

const INHERITED: Escape = Escape {
    techniques: &["FW-INHERITWRITE"],
    references: &[
        "CWE-403",
        "https://safeguard.sh/resources/blog/leaky-vessels-runc-container-escape-class-2024",
    ],
    decoys: &[INHERITED_WRITE],
    stops: &[Layer::Hygiene],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/inherited-write",
        summary: "Write to an inherited file",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| done(File::from(file(scene)?).write_all(b"changed"))),
        python: Some(include_str!("inherited_write.py")),
        ..INHERITED
    },
    Escape {
        id: "fs-write/inherited-write.position",
        summary: "Write to a place of an inherited file by pwrite",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| done(File::from(file(scene)?).write_all_at(b"changed", 4))),
        python: Some(include_str!("inherited_write.position.py")),
        ..INHERITED
    },
    Escape {
        id: "fs-write/inherited-write.truncate",
        summary: "Empty an inherited file",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| done(ftruncate(file(scene)?, 0))),
        python: Some(include_str!("inherited_write.truncate.py")),
        ..INHERITED
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/inherited-write.allocate",
        summary: "Make an inherited file longer by fallocate",
        witnesses: &["hygiene/close-descriptors"],
        // A file system that cannot do it says so.
        absent: &[libc::ENOSYS, libc::EOPNOTSUPP],
        native: Some(|scene| done(fallocate(file(scene)?, FallocateFlags::empty(), 0, 4096))),
        python: Some(include_str!("inherited_write.allocate.py")),
        ..INHERITED
    },
    Escape {
        id: "fs-write/inherited-write.map",
        summary: "Map an inherited file and change it without any writing call",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            let file = file(scene)?;
            let words = raw::map_words(file.as_fd(), 0, 4096, libc::MAP_SHARED)?;
            words.iter().take(1).for_each(|word| word.store(u32::MAX, Ordering::Relaxed));
            Ok(Vec::new())
        }),
        python: Some(include_str!("inherited_write.map.py")),
        ..INHERITED
    },
    Escape {
        id: "fs-write/inherited-write.pipe",
        summary: "Write to an inherited pipe that somebody reads outside",
        decoys: &[INHERITED_PIPE_WRITE],
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            let pipe = raw::inherited(scene.number("inherited-pipe-write")?)?;
            done(File::from(pipe).write_all(scene.nonce().as_bytes()))
        }),
        python: Some(include_str!("inherited_write.pipe.py")),
        ..INHERITED
    },
];

fn file(scene: &Scene) -> io::Result<OwnedFd> {
    raw::inherited(scene.number("inherited-write")?)
}
