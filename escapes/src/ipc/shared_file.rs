//! Change how a file is open that the launcher shares: position and flags belong to everybody who has the
//! descriptor, so a log that only grows stops doing so for its writer too.

use crate::raw;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::fs::{OFlags, SeekFrom, fcntl_getfl, fcntl_setfl, ftruncate, seek};
use rustix::io::{FdFlags, fcntl_setfd};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;

const SHARED: Escape = Escape {
    techniques: &["IP-STDIO"],
    references: &["https://man7.org/linux/man-pages/man2/F_GETFL.2const.html", "CWE-403"],
    decoys: &[&Log],
    stops: &[Layer::Hygiene],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/shared-file",
        summary: "Overwrite the beginning of a log that only grows, left open",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(overwrite),
        python: Some(include_str!("shared_file.py")),
        ..SHARED
    },
    Escape {
        id: "ipc/shared-file.blocking",
        summary: "Let the writer of a log fail where it would wait, by a flag of the shared open file",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            flags(scene, |flags| flags | OFlags::NONBLOCK)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("shared_file.blocking.py")),
        ..SHARED
    },
    Escape {
        id: "ipc/shared-file.position",
        summary: "Move the place at which the writer of a shared open file goes on",
        references: &["https://man7.org/linux/man-pages/man2/lseek.2.html", "CWE-403"],
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            seek(raw::borrow(scene.number("inherited-log")?), SeekFrom::Start(3))?;
            Ok(Vec::new())
        }),
        ..SHARED
    },
    Escape {
        id: "ipc/shared-file.truncate",
        summary: "Empty a log that only grows, left open",
        references: &["https://attack.mitre.org/techniques/T1070/", "CWE-403"],
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            ftruncate(raw::borrow(scene.number("inherited-log")?), 0)?;
            Ok(Vec::new())
        }),
        ..SHARED
    },
];

fn flags(scene: &Scene, change: impl FnOnce(OFlags) -> OFlags) -> io::Result<()> {
    let log = raw::borrow(scene.number("inherited-log")?);
    Ok(fcntl_setfl(log, change(fcntl_getfl(log)?))?)
}

fn overwrite(scene: &Scene) -> io::Result<Vec<u8>> {
    flags(scene, |flags| flags - OFlags::APPEND)?;
    rustix::io::pwrite(raw::borrow(scene.number("inherited-log")?), b"Nothing happened.", 0)?;
    Ok(Vec::new())
}

/// A log outside to which its writer only adds. Clue: `inherited-log`, the number of its descriptor. What
/// is written to it is seen in the tree; here its flags and its position are looked at.
#[derive(Debug)]
struct Log;

impl Decoy for Log {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let path = site.outside.join("log");
        let mut file = OpenOptions::new().append(true).create_new(true).open(path)?;
        file.write_all(b"It has begun.\n")?;
        fcntl_setfd(&file, FdFlags::empty())?;
        let before = state(&file)?;
        Ok(Box::new(Writer { file: Some(file), before }))
    }
}

fn state(file: &File) -> io::Result<(OFlags, u64)> {
    Ok((fcntl_getfl(file)?, seek(file, SeekFrom::Current(0))?))
}

#[derive(Debug)]
struct Writer {
    file: Option<File>,
    before: (OFlags, u64),
}

impl Placed for Writer {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        let number = self.file.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        vec![("inherited-log", number.to_string().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let Some(file) = &self.file else { return Ok(Vec::new()) };
        let now = state(file)?;
        let detail = format!("the shared open file was {:?} and is {now:?}", self.before);
        let change = Evidence { kind: EvidenceKind::ObjectChanged, detail };
        Ok((now != self.before).then_some(change).into_iter().collect())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.file = None;
        Vec::new()
    }
}
