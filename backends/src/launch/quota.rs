//! How much a run directory holds, measured by the launcher while the program runs: beneath it,
//! descriptor by descriptor, following no link, and no further than the limit needs.
//!
//! On Linux, files that were deleted and are still open count as well, as far as `/proc/PID/fd` shows them.
//! Not seen are deleted files that only a mapping or a socket's queue holds.

use super::LaunchError;
use crate::policy::{Bound, Limits};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, openat, statat};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// The shortest time between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// A look may take this part of the launcher's time at most.
const SHARE: u32 = 20;

/// How deep a tree is followed; each level holds one descriptor. A deeper one cannot be measured.
const DEPTH: usize = 128;

/// Bytes of a block as `stat(2)` counts them.
const BLOCK: u64 = 512;

/// What watches one run directory.
#[derive(Debug)]
pub(crate) struct Quota {
    directory: OwnedFd,
    root: Stat,
    bytes: Bound,
    entries: Bound,
    next: Instant,
}

impl Quota {
    /// Whether there is anything to watch.
    fn is_wanted(limits: &Limits) -> bool {
        (limits.run_directory_bytes, limits.run_directory_entries)
            != (Bound::Unlimited, Bound::Unlimited)
    }

    /// What watches a run directory, where a limit says how much it may hold.
    pub(crate) fn wanted(
        directory: impl FnOnce() -> Result<OwnedFd, LaunchError>,
        limits: &Limits,
        began: Instant,
    ) -> Result<Option<Self>, LaunchError> {
        if !Self::is_wanted(limits) {
            return Ok(None);
        }
        Self::new(directory()?, limits, began).map(Some).map_err(LaunchError::resource("fstat"))
    }

    /// Watches an open directory. The first look comes after a pause, so that short programs cost one
    /// look, at their end.
    fn new(directory: OwnedFd, limits: &Limits, began: Instant) -> io::Result<Self> {
        let root = rustix::fs::fstat(&directory)?;
        Ok(Self {
            directory,
            root,
            bytes: limits.run_directory_bytes,
            entries: limits.run_directory_entries,
            next: began + PAUSE,
        })
    }

    /// How long until the next look.
    pub(super) fn due(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Looks, and tells whether more is there than may be. What cannot be measured is more. A program that
    /// is dead has no open files.
    pub(super) fn is_exceeded(&mut self, program: Option<i32>) -> io::Result<bool> {
        let began = Instant::now();
        let mut count = Count { quota: self, bytes: 0, entries: 0, seen: BTreeSet::new() };
        let exceeded = match count.enter(&self.directory, c".", &self.root, 0)? {
            Step::TooMuch => true,
            Step::On => match program {
                Some(pid) => count.deleted_below(pid)? == Step::TooMuch,
                None => false,
            },
        };
        self.next = Instant::now() + (began.elapsed() * SHARE).max(PAUSE);
        Ok(exceeded)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    On,
    TooMuch,
}

/// What one look has counted so far.
struct Count<'a> {
    quota: &'a Quota,
    bytes: u64,
    entries: u64,
    /// Files that can be met twice: those with several names, and those without any.
    seen: BTreeSet<u64>,
}

/// Processes whose open files are counted at most.
const PROCESSES: usize = 64;

impl Count<'_> {
    /// Counts what lies in a directory and below it.
    fn enter(
        &mut self,
        parent: impl AsFd,
        name: &CStr,
        known: &Stat,
        depth: usize,
    ) -> io::Result<Step> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = match openat(parent, name, flags, Mode::empty()) {
            Ok(opened) => opened,
            // It went away meanwhile, or became something else.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(Step::On),
            // Its owner may not list it: nothing is in it that its owner could not put there, else more
            // than anybody can tell.
            Err(Errno::ACCESS) if known.st_mode & 0o300 == 0o300 => return Ok(Step::TooMuch),
            Err(Errno::ACCESS) => return Ok(Step::On),
            Err(errno) => return Err(errno.into()),
        };
        let mut below = Vec::new();
        let mut listing = Dir::new(opened)?;
        while let Some(entry) = listing.read() {
            let entry = entry?;
            if matches!(entry.file_name().to_bytes(), b"." | b"..") {
                continue;
            }
            let stat = match statat(listing.fd()?, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
                // It went away meanwhile, or nobody may reach what is in this directory.
                Err(Errno::NOENT | Errno::ACCESS) => continue,
                stat => stat?,
            };
            if self.add(&stat) == Step::TooMuch {
                return Ok(Step::TooMuch);
            }
            // What is mounted there is another file system's.
            if FileType::from_raw_mode(stat.st_mode).is_dir()
                && stat.st_dev == self.quota.root.st_dev
            {
                below.push((entry.file_name().to_owned(), stat));
            }
        }
        self.descend(listing.fd()?, below, depth)
    }

    fn descend(
        &mut self,
        opened: BorrowedFd<'_>,
        below: Vec<(CString, Stat)>,
        depth: usize,
    ) -> io::Result<Step> {
        if depth == DEPTH && !below.is_empty() {
            return Ok(Step::TooMuch);
        }
        for (name, stat) in below {
            if self.enter(opened, &name, &stat, depth + 1)? == Step::TooMuch {
                return Ok(Step::TooMuch);
            }
        }
        Ok(Step::On)
    }

    /// Adds one entry.
    fn add(&mut self, stat: &Stat) -> Step {
        self.entries += 1;
        let known = stat.st_nlink > 1
            && !FileType::from_raw_mode(stat.st_mode).is_dir()
            && !self.seen.insert(stat.st_ino);
        if !known {
            self.bytes = self.bytes.saturating_add(size(stat));
        }
        self.step()
    }

    /// Adds those of a program and of the processes below it: a sandbox that is another program starts the
    /// confined one as its descendant.
    fn deleted_below(&mut self, program: i32) -> io::Result<Step> {
        let mut processes = vec![program];
        let mut looked_at = 0;
        while let Some(process) = processes.pop() {
            if self.deleted(process)? == Step::TooMuch {
                return Ok(Step::TooMuch);
            }
            looked_at += 1;
            if looked_at < PROCESSES {
                processes.extend(children(process));
            }
        }
        Ok(Step::On)
    }

    /// Adds the files that the program deleted, or never named, and still has open.
    fn deleted(&mut self, pid: i32) -> io::Result<Step> {
        let entries = match std::fs::read_dir(format!("/proc/{pid}/fd")) {
            Ok(entries) => entries,
            // A dead program has no open files; one that is not ours to look at hides them.
            Err(error) if is_gone_or_hidden(&error) => return Ok(Step::On),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let Ok(entry) = entry else { break };
            let Ok(stat) = rustix::fs::stat(entry.path()) else { continue };
            let file = FileType::from_raw_mode(stat.st_mode).is_file();
            if file
                && stat.st_nlink == 0
                && stat.st_dev == self.quota.root.st_dev
                && self.seen.insert(stat.st_ino)
            {
                self.entries += 1;
                self.bytes = self.bytes.saturating_add(size(&stat));
                if self.step() == Step::TooMuch {
                    return Ok(Step::TooMuch);
                }
            }
        }
        Ok(Step::On)
    }

    fn step(&self) -> Step {
        let above = |count: u64, bound| matches!(bound, Bound::At(most) if count > most);
        if above(self.bytes, self.quota.bytes) || above(self.entries, self.quota.entries) {
            Step::TooMuch
        } else {
            Step::On
        }
    }
}

/// The children of all threads of a process, `proc_tid_children(5)`; none where the kernel does not list them.
fn children(process: i32) -> Vec<i32> {
    let threads =
        std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    threads
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|text| text.split(' ').filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>())
        .collect()
}

fn size(stat: &Stat) -> u64 {
    u64::try_from(stat.st_blocks).unwrap_or(0).saturating_mul(BLOCK)
}

fn is_gone_or_hidden(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ESRCH)
        || matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
}
