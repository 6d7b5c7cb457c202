//! Linux. The walk of a harvest: directory by directory from open descriptors, each entry opened beneath its
//! parent and looked at again once it is open, so that nothing depends on a path.

use super::inspect::{beneath, inspect, refused_open, size_of, unreadable};
use super::name;
use super::pattern::{Pattern, Position, Step};
use super::{Finding, Harvest, HarvestError, HarvestLimits, Harvested, Why};
use crate::events::printable;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, fstat, openat, statat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Findings that are kept. A program can leave any number of them.
const FINDINGS: usize = 256;
const CHUNK: u64 = 1 << 16;

pub(super) struct Harvester<'a> {
    run: OwnedFd,
    into: OwnedFd,
    into_path: PathBuf,
    pattern: &'a Pattern,
    limits: &'a HarvestLimits,
    looked_at: usize,
    bytes: u64,
    full: bool,
    files: Vec<Harvested>,
    findings: Vec<Finding>,
}

fn failed(call: &'static str) -> impl FnOnce(Errno) -> HarvestError {
    move |errno| HarvestError::Call { call, source: errno.into() }
}

impl<'a> Harvester<'a> {
    pub(super) fn new(
        run: &Path,
        into: &Path,
        pattern: &'a Pattern,
        limits: &'a HarvestLimits,
    ) -> Result<Self, HarvestError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = |path: &Path| rustix::fs::open(path, flags, Mode::empty());
        rustix::fs::mkdir(into, Mode::RWXU).map_err(failed("mkdir"))?;
        Ok(Self {
            run: open(run).map_err(failed("open"))?,
            into: open(into).map_err(failed("open"))?,
            into_path: into.to_owned(),
            pattern,
            limits,
            looked_at: 0,
            bytes: 0,
            full: false,
            files: Vec::new(),
            findings: Vec::new(),
        })
    }

    pub(super) fn take(mut self) -> Result<Harvest, HarvestError> {
        let run = self
            .run
            .try_clone()
            .map_err(|source| HarvestError::Call { call: "fcntl(F_DUPFD_CLOEXEC)", source })?;
        self.enter(&run, "", self.pattern.start(), 0)?;
        self.files.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Harvest { files: self.files, findings: self.findings })
    }

    /// Goes through one directory, whose path below the run directory ends in a slash or is empty.
    fn enter(
        &mut self,
        directory: &OwnedFd,
        path: &str,
        position: Position,
        depth: usize,
    ) -> Result<(), HarvestError> {
        let entries = match self.pattern.spelled(position) {
            // What is spelled is looked for, not searched among whatever else a program left.
            Some(names) => names.into_iter().filter(|name| is_there(directory, name)).collect(),
            None => self.names(directory, path),
        };
        let mut below = Vec::new();
        for entry in entries {
            if self.full {
                break;
            }
            let step = self.pattern.step(position, entry.to_bytes());
            if step.acted_on {
                self.find(shown(path, &entry), Why::ActedOn);
            } else if step.position.is_some() || step.matches {
                below.extend(self.entry(directory, entry, path, step)?);
            }
        }
        // Directories come last, so that no number of files in one hides what stands beside it.
        for (entry, name, position) in below {
            if !self.full {
                self.descend(directory, &entry, &name, position, depth)?;
            }
        }
        Ok(())
    }

    /// Looks at an entry that matches or may lie above a match, and returns a directory to be entered.
    fn entry(
        &mut self,
        directory: &OwnedFd,
        entry: CString,
        path: &str,
        step: Step,
    ) -> Result<Option<(CString, String, Position)>, HarvestError> {
        let shown = shown(path, &entry);
        let stat = statat(directory, &entry, AtFlags::SYMLINK_NOFOLLOW);
        let refused = match stat.map(|stat| FileType::from_raw_mode(stat.st_mode)) {
            Err(errno) => Some(unreadable("fstatat", errno)),
            Ok(FileType::Symlink) => Some(Why::Link),
            Ok(FileType::Directory) => {
                return Ok(match (step.position, name::check(entry.to_bytes())) {
                    (None, _) => None,
                    (Some(position), Ok(text)) => {
                        let name = format!("{path}{text}");
                        Some((entry, name, position))
                    }
                    (Some(_), Err(why)) => {
                        self.find(shown, Why::Name(why));
                        None
                    }
                });
            }
            Ok(_) if !step.matches => None,
            Ok(FileType::RegularFile) => match name::check(entry.to_bytes()) {
                Ok(text) => {
                    let name = format!("{path}{text}");
                    self.file(directory, &entry, name)?;
                    None
                }
                Err(why) => Some(Why::Name(why)),
            },
            Ok(_) => Some(Why::NotAFile),
        };
        if let Some(why) = refused {
            self.find(shown, why);
        }
        Ok(None)
    }

    /// The names in a directory, in order, as many as may still be looked at. Of a million names no more
    /// are held.
    fn names(&mut self, directory: &OwnedFd, path: &str) -> Vec<CString> {
        let mut names = Vec::new();
        let entries = match Dir::read_from(directory) {
            Ok(entries) => entries,
            Err(errno) => {
                self.find(shown(path, c"."), unreadable("getdents64", errno));
                return names;
            }
        };
        for entry in entries {
            match entry {
                Ok(entry) if matches!(entry.file_name().to_bytes(), b"." | b"..") => {}
                Ok(entry) => {
                    if self.looked_at == self.limits.entries {
                        let most = self.limits.entries as u64;
                        self.find(shown(path, c"."), Why::Full { what: "entries", most });
                        break;
                    }
                    self.looked_at += 1;
                    names.push(entry.file_name().to_owned());
                }
                Err(errno) => {
                    self.find(shown(path, c"."), unreadable("getdents64", errno));
                    break;
                }
            }
        }
        names.sort();
        names
    }

    fn descend(
        &mut self,
        parent: &OwnedFd,
        name: &CStr,
        path: &str,
        position: Position,
        depth: usize,
    ) -> Result<(), HarvestError> {
        if depth == self.limits.depth {
            self.find(printable(path.as_bytes()), Why::TooDeep(self.limits.depth));
            return Ok(());
        }
        match beneath(parent, name, OFlags::DIRECTORY) {
            Ok(directory) => self.enter(&directory, &format!("{path}/"), position, depth + 1),
            Err(errno) => {
                self.find(printable(path.as_bytes()), refused_open(errno));
                Ok(())
            }
        }
    }

    fn file(&mut self, parent: &OwnedFd, name: &CStr, path: String) -> Result<(), HarvestError> {
        let shown = printable(path.as_bytes());
        if self.files.len() == self.limits.files {
            let most = self.limits.files as u64;
            self.full = true;
            self.find(shown, Why::Full { what: "files", most });
            return Ok(());
        }
        let opened =
            beneath(parent, name, OFlags::empty()).map_err(refused_open).and_then(|file| {
                let stat = fstat(&file).map_err(|errno| unreadable("fstat", errno))?;
                inspect(&stat, self.limits)?;
                Ok((file, size_of(&stat)))
            });
        let (file, size) = match opened {
            Ok(opened) => opened,
            Err(why) => {
                self.find(shown, why);
                return Ok(());
            }
        };
        if self.bytes.saturating_add(size) > self.limits.bytes {
            self.find(shown, Why::Full { what: "bytes", most: self.limits.bytes });
            return Ok(());
        }
        match self.copy(file, size)? {
            Ok(copy) => {
                self.bytes += size;
                self.files.push(Harvested { name: path, size, copy });
            }
            Err(why) => self.find(shown, why),
        }
        Ok(())
    }

    /// Copies a file into a new one of the host's. The outer error is the host's, the inner the file's.
    fn copy(&self, file: OwnedFd, size: u64) -> Result<Result<PathBuf, Why>, HarvestError> {
        let name = self.files.len().to_string();
        let flags = OFlags::WRONLY | OFlags::CLOEXEC | OFlags::CREATE | OFlags::EXCL;
        // A copy that was broken off may lie here.
        let _absent = rustix::fs::unlinkat(&self.into, &*name, AtFlags::empty());
        let mut copy = openat(&self.into, &*name, flags, Mode::RUSR | Mode::WUSR)
            .map(File::from)
            .map_err(failed("open"))?;
        let source = File::from(file);
        let mut chunk = Vec::new();
        let mut left = size;
        loop {
            chunk.clear();
            match (&source).take(CHUNK).read_to_end(&mut chunk) {
                Ok(0) if left == 0 => return Ok(Ok(self.into_path.join(name))),
                Ok(0) => return Ok(Err(Why::Changed)),
                Ok(length) => {
                    let Some(less) = left.checked_sub(length as u64) else {
                        return Ok(Err(Why::Changed));
                    };
                    left = less;
                    copy.write_all(&chunk)
                        .map_err(|source| HarvestError::Call { call: "write", source })?;
                }
                Err(error) => {
                    let message = error.to_string();
                    return Ok(Err(Why::Unreadable { call: "read", message }));
                }
            }
        }
    }

    fn find(&mut self, path: String, why: Why) {
        if self.findings.len() < FINDINGS {
            self.findings.push(Finding { path, why });
        } else if self.findings.len() == FINDINGS {
            let full = Why::Full { what: "findings", most: FINDINGS as u64 };
            self.findings.push(Finding { path, why: full });
        }
    }
}

fn is_there(directory: &OwnedFd, name: &CStr) -> bool {
    !matches!(statat(directory, name, AtFlags::SYMLINK_NOFOLLOW), Err(Errno::NOENT))
}

/// A path in printable letters.
fn shown(path: &str, name: &CStr) -> String {
    printable(path.as_bytes()) + &printable(name.to_bytes())
}

#[cfg(test)]
mod tests;
