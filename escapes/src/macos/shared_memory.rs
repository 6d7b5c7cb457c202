//! Shared memory by its name, which is no file on macOS.

use crate::fs_write::effect::done;
use crate::raw_macos::{map_read_only, map_words};
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use fixtures::watch::shm_name::SHM_NAME;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use nix::fcntl::OFlag;
use nix::sys::mman::{shm_open, shm_unlink};
use nix::sys::stat::Mode;
use nix::unistd::ftruncate;
use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU32, Ordering};

const SHARED: Escape = Escape {
    techniques: &["MC-SHM"],
    references: &["https://github.com/luckyPipewrench/pipelock/pull/267"],
    decoys: &[SHM_NAME],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    twin: Twin::Memory,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/shared-memory",
        summary: "Leave a shared memory object in the kernel",
        native: Some(|scene| {
            let flags = OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_RDWR;
            done(shm_open(scene.text("shm-new")?, flags, Mode::S_IRUSR | Mode::S_IWUSR))
        }),
        ..SHARED
    },
    Escape {
        id: "macos/shared-memory.remove",
        summary: "Remove a shared memory object of another program",
        native: Some(|scene| done(shm_unlink(scene.text("shm-name")?))),
        ..SHARED
    },
    Escape {
        id: "macos/shared-memory.read",
        summary: "Read a shared memory object of another program",
        decoys: &[&Content],
        native: Some(|scene| {
            let object = shm_open(scene.text("shm-content")?, OFlag::O_RDONLY, Mode::empty())?;
            Ok(bytes(map_read_only(object.as_fd(), LENGTH)?))
        }),
        ..SHARED
    },
    Escape {
        id: "macos/shared-memory.write",
        summary: "Overwrite a shared memory object of another program",
        decoys: &[&Content],
        native: Some(|scene| {
            let object = shm_open(scene.text("shm-content")?, OFlag::O_RDWR, Mode::empty())?;
            let words = map_words(object.as_fd(), 0, LENGTH, libc::MAP_SHARED)?;
            words.iter().for_each(|word| word.store(0, Ordering::SeqCst));
            Ok(Vec::new())
        }),
        ..SHARED
    },
];

/// Bytes of the object that holds something: the token.
const LENGTH: usize = 32;

fn bytes(words: &[AtomicU32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.load(Ordering::SeqCst).to_ne_bytes()).collect()
}

/// Clue `shm-content`: the name of an object that holds the token. That it changes is evidence.
#[derive(Debug)]
struct Content;

impl Decoy for Content {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        // Names have 31 bytes at most.
        let name = format!("/con-{}", site.nonce);
        let flags = OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_RDWR;
        let object = shm_open(name.as_str(), flags, Mode::S_IRUSR | Mode::S_IWUSR)?;
        ftruncate(&object, LENGTH as libc::off_t)?;
        let words = map_words(object.as_fd(), 0, LENGTH, libc::MAP_SHARED)?;
        for (word, part) in words.iter().zip(site.token.as_bytes().chunks_exact(4)) {
            let part = part.try_into().map_err(io::Error::other)?;
            word.store(u32::from_ne_bytes(part), Ordering::SeqCst);
        }
        Ok(Box::new(Filled { name, words, before: bytes(words) }))
    }
}

#[derive(Debug)]
struct Filled {
    name: String,
    words: &'static [AtomicU32],
    before: Vec<u8>,
}

impl Placed for Filled {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("shm-content", self.name.clone().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let detail = "the shared memory object was overwritten".to_owned();
        let evidence = Evidence { kind: EvidenceKind::ObjectChanged, detail };
        Ok((bytes(self.words) != self.before).then_some(evidence).into_iter().collect())
    }

    fn sweep(&mut self) -> Vec<String> {
        let removed = shm_unlink(self.name.as_str());
        removed
            .err()
            .map(|errno| format!("{}: shm_unlink: {errno}", self.name))
            .into_iter()
            .collect()
    }
}
