//! A secret that the launcher has open and does not close: no open call is left for anybody to judge.

use super::descriptor::contents;
use crate::raw;
use fixtures::watch::inherited::{INHERITED_PIPE_READ, INHERITED_SECRET, INHERITED_SECRET_HIGH};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use rustix::io::{ReadWriteFlags, preadv2};
use std::fs::{self, File};
#[cfg(target_os = "linux")]
use std::io::{self, IoSliceMut, Read};
#[cfg(target_os = "macos")]
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::FileExt;
use std::sync::atomic::Ordering;

const INHERITED: Escape = Escape {
    techniques: &["FR-INHERITFD"],
    references: &[
        "CWE-403",
        "https://safeguard.sh/resources/blog/leaky-vessels-runc-container-escape-class-2024",
        "https://github.com/firedancer-io/firedancer/issues/9185",
    ],
    decoys: &[INHERITED_SECRET],
    stops: &[Layer::Hygiene],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/inherited",
        summary: "Read a secret from an inherited descriptor",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| contents(raw::inherited(scene.number("inherited-secret")?)?)),
        python: Some(include_str!("inherited.py")),
        ..INHERITED
    },
    Escape {
        id: "fs-read/inherited.high",
        summary: "Read a secret from a descriptor above those that a launcher closes one by one",
        decoys: &[INHERITED_SECRET_HIGH],
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            let file = File::from(raw::inherited(scene.number("inherited-secret-high")?)?);
            let mut loot = vec![0; 4096];
            let length = file.read_at(&mut loot, 0)?;
            loot.truncate(length);
            Ok(loot)
        }),
        python: Some(include_str!("inherited.high.py")),
        ..INHERITED
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-read/inherited.vector",
        summary: "Read a secret from an inherited descriptor by preadv2",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            let secret = raw::inherited(scene.number("inherited-secret")?)?;
            let mut loot = vec![0; 4096];
            let buffers = &mut [IoSliceMut::new(&mut loot)];
            let length = preadv2(secret, buffers, 0, ReadWriteFlags::empty())?;
            loot.truncate(length);
            Ok(loot)
        }),
        ..INHERITED
    },
    Escape {
        id: "fs-read/inherited.map",
        summary: "Map an inherited descriptor and read a secret without any reading call",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(map),
        python: Some(include_str!("inherited.map.py")),
        ..INHERITED
    },
    Escape {
        id: "fs-read/inherited.reopen",
        summary: "Open the /proc name of an inherited descriptor and read a secret",
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::MountNamespace, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "landlock/read-file"],
        native: Some(|scene| {
            let secret = raw::inherited(scene.number("inherited-secret")?)?;
            fs::read(format!("{OWN_DESCRIPTORS}/{}", secret.as_raw_fd()))
        }),
        #[cfg(target_os = "linux")]
        python: Some(include_str!("inherited.reopen.py")),
        ..INHERITED
    },
    Escape {
        id: "fs-read/inherited.pipe",
        summary: "Read a secret from an inherited pipe",
        decoys: &[INHERITED_PIPE_READ],
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            let mut pipe = File::from(raw::inherited(scene.number("inherited-pipe-read")?)?);
            let mut loot = vec![0; 4096];
            let length = pipe.read(&mut loot)?;
            loot.truncate(length);
            Ok(loot)
        }),
        python: Some(include_str!("inherited.pipe.py")),
        ..INHERITED
    },
];

/// Where the descriptors of this process have names.
#[cfg(target_os = "linux")]
const OWN_DESCRIPTORS: &str = "/proc/self/fd";
#[cfg(target_os = "macos")]
const OWN_DESCRIPTORS: &str = "/dev/fd";

/// The map ends with the page, the secret before it.
fn map(scene: &Scene) -> io::Result<Vec<u8>> {
    let secret = raw::inherited(scene.number("inherited-secret")?)?;
    let words = raw::map_words(secret.as_fd(), 0, 4096, libc::MAP_PRIVATE)?;
    Ok(words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_ne_bytes()).collect())
}
