//! Linux. The folder of one run in the session root: the program's text, which it may read, and the run
//! directory, which it may write. What the host keeps of a run stands beside both.

use super::RunError;
use crate::session::root::last_name;
use crate::sweep::remove_tree;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes it with an empty run directory and a `tmp` in that.
    pub(super) fn make(root: &Path, number: u64, text: &[u8]) -> Result<Self, RunError> {
        let folder = Self { path: root.join(format!("run-{number}")) };
        let made = make(&folder.path)
            .and_then(|()| make(&folder.run()))
            .and_then(|()| make(&folder.run().join("tmp")))
            .and_then(|()| write(&folder.text(), text));
        made.inspect_err(|_error| {
            let _left_to_the_release_of_the_session = folder.remove();
        })?;
        Ok(folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn run(&self) -> PathBuf {
        self.path.join("directory")
    }

    /// Where a container is described.
    pub(super) fn bundle(&self) -> PathBuf {
        self.path.join("bundle")
    }

    pub(super) fn text(&self) -> PathBuf {
        self.path.join("program.py")
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
}

fn failed(path: &Path, call: &'static str) -> impl FnOnce(io::Error) -> RunError {
    let path = path.to_owned();
    move |source| RunError::Folder { path, call, source }
}

fn make(path: &Path) -> Result<(), RunError> {
    rustix::fs::mkdir(path, Mode::RWXU).map_err(|errno| failed(path, "mkdir")(errno.into()))
}

fn write(path: &Path, text: &[u8]) -> Result<(), RunError> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)
        .map_err(|errno| failed(path, "open")(errno.into()))?;
    File::from(file).write_all(text).map_err(failed(path, "write"))
}
