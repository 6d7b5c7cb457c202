//! Linux. The folder of one run in the session root: the program's text, which it may read, and the run
//! directory, which it may write. What the host keeps of a run stands beside both.

use super::RunError;
use crate::session::root::last_name;
use crate::sweep::remove_tree;
use rustix::fs::{Mode, OFlags, RenameFlags, renameat_with};
use rustix::io::Errno;
use std::ffi::CString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

const RUN: &str = "directory";
const TEMPORARY: &str = "tmp";
const TEXT: &str = "program.py";

#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    number: u64,
}

impl Folder {
    /// Makes it with an empty text, an empty run directory and an empty `tmp` in that.
    pub(super) fn make(root: &Path, number: u64) -> Result<Self, RunError> {
        let folder = Self { path: root.join(format!("run-{number}")), number };
        let flags = OFlags::CREATE | OFlags::EXCL;
        let made = make(&folder.path)
            .and_then(|()| make(&folder.run()))
            .and_then(|()| make(&folder.run().join(TEMPORARY)))
            .and_then(|()| open(&folder.text(), flags).map(drop));
        made.inspect_err(|_error| {
            let _left_to_the_release_of_the_session = folder.remove();
        })?;
        Ok(folder)
    }

    /// Writes the program's text, once.
    pub(super) fn write(&self, text: &[u8]) -> Result<(), RunError> {
        let path = self.text();
        open(&path, OFlags::empty())?.write_all(text).map_err(failed(&path, "write"))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn run(&self) -> PathBuf {
        self.path.join(RUN)
    }

    /// Where a container is described.
    pub(super) fn bundle(&self) -> PathBuf {
        self.path.join("bundle")
    }

    /// Where the copies of a harvest are kept, from 1.
    pub(super) fn harvest(&self, number: u64) -> PathBuf {
        self.path.join(harvest(number))
    }

    pub(super) fn text(&self) -> PathBuf {
        self.path.join(TEXT)
    }

    /// Removes it, and returns what stayed.
    pub(super) fn remove(&self) -> Vec<String> {
        let parent = self.path.parent().unwrap_or(&self.path);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::open(parent, flags, Mode::empty()) {
            Ok(root) => remove_tree(&root, &last_name(&self.path)).findings(),
            // The session was released meanwhile, with all that was in it.
            Err(Errno::NOENT) => Vec::new(),
            Err(errno) => vec![format!("open {parent:?}: {errno}")],
        }
    }

    /// Takes it out of the way, with what the program left. Returns its new name in the root.
    pub(super) fn set_aside(&self, root: &OwnedFd) -> Option<CString> {
        let aside = CString::new(format!("over-{}", self.number)).ok()?;
        let name = last_name(&self.path);
        renameat_with(root, &name, root, &aside, RenameFlags::NOREPLACE).ok()?;
        Some(aside)
    }
}

fn harvest(number: u64) -> String {
    format!("harvest-{number}")
}

fn failed(path: &Path, call: &'static str) -> impl FnOnce(io::Error) -> RunError {
    let path = path.to_owned();
    move |source| RunError::Folder { path, call, source }
}

fn make(path: &Path) -> Result<(), RunError> {
    rustix::fs::mkdir(path, Mode::RWXU).map_err(|errno| failed(path, "mkdir")(errno.into()))
}

fn open(path: &Path, flags: OFlags) -> Result<File, RunError> {
    let flags = flags | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)
        .map_err(|errno| failed(path, "open")(errno.into()))?;
    Ok(File::from(file))
}
