//! Linux. The owner record of a session root: which process made it, so that a later one can tell a root
//! whose owner died from one that is in use.

use rustix::fs::{Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::BorrowedFd;

/// The largest record that is read. A real one has a few hundred bytes.
const LARGEST: u64 = 1 << 16;

/// Who owns a session root, and what is to be released when it is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Owner {
    /// The version of this record.
    pub schema: u32,
    /// The owner's process id.
    pub pid: u32,
    /// When it started, in clock ticks since the machine did (field 22 of `/proc/PID/stat`, proc(5)).
    pub start_time: u64,
    /// The boot in which that counts.
    pub boot: String,
    /// The pid namespace in which the id counts.
    pub pid_namespace: String,
    /// The backend that confines the session's programs.
    pub backend: String,
    /// What the session holds beyond its process.
    pub release: Vec<Held>,
}

/// Something that a session holds and that outlives its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Held {
    /// The session root with all that is in it.
    Tree,
}

/// Whether an owner lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It does, or nobody can tell that it does not.
    Living,
    /// It has ended.
    Ended,
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A call failed.
    #[error("owner record: {call}: {source}")]
    Call {
        /// The call.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// It is no regular file, or larger than a record.
    #[error("owner record: not a regular file of a record's size")]
    NotAFile,
    /// It is not what we write.
    #[error("owner record: {0}")]
    Parse(#[from] serde_json::Error),
}

fn failed(call: &'static str) -> impl FnOnce(io::Error) -> RecordError {
    move |source| RecordError::Call { call, source }
}

impl Owner {
    /// The schema that is written and read.
    pub const SCHEMA: u32 = 1;

    /// This process as an owner.
    ///
    /// # Errors
    /// When `/proc` does not tell who this process is.
    pub fn current(backend: &str) -> Result<Self, RecordError> {
        let pid = std::process::id();
        let start_time = start_time(pid)
            .and_then(|start| start.ok_or_else(|| io::ErrorKind::NotFound.into()))
            .map_err(failed("read /proc/self/stat"))?;
        Ok(Self {
            schema: Self::SCHEMA,
            pid,
            start_time,
            boot: boot().map_err(failed("read /proc/sys/kernel/random/boot_id"))?,
            pid_namespace: pid_namespace().map_err(failed("readlink /proc/self/ns/pid"))?,
            backend: backend.to_owned(),
            release: vec![Held::Tree],
        })
    }

    /// Writes the record into a root, whole or not at all.
    ///
    /// # Errors
    /// When a call fails.
    pub fn write(&self, root: BorrowedFd<'_>, name: &str) -> Result<(), RecordError> {
        let part = format!("{name}.part");
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = openat(root, &*part, flags, Mode::RUSR | Mode::WUSR)
            .map_err(|errno| failed("open")(errno.into()))?;
        File::from(file).write_all(&serde_json::to_vec(self)?).map_err(failed("write"))?;
        rustix::fs::renameat(root, &*part, root, name)
            .map_err(|errno| failed("rename")(errno.into()))
    }

    /// Reads the record of a root.
    ///
    /// # Errors
    /// When there is none, or none that we wrote.
    pub fn read(root: BorrowedFd<'_>, name: &str) -> Result<Self, RecordError> {
        let file = open(root, name).map_err(|errno| failed("openat2")(errno.into()))?;
        let metadata = file.metadata().map_err(failed("fstat"))?;
        if !metadata.is_file() || metadata.len() > LARGEST {
            return Err(RecordError::NotAFile);
        }
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes).map_err(failed("read"))?;
        Ok(serde_json::from_slice(&bytes)?)
    }

    /// Whether the owner lives. Whatever cannot be found out counts as living, but for another pid
    /// namespace of this boot, of which we see nothing: there the root's lock alone decides, which is
    /// free when this is asked.
    pub fn life(&self) -> Life {
        match self.has_ended() {
            Ok(true) => Life::Ended,
            Ok(false) | Err(_) => Life::Living,
        }
    }

    fn has_ended(&self) -> io::Result<bool> {
        if self.schema != Self::SCHEMA {
            return Ok(false);
        }
        if self.boot != boot()? || self.pid_namespace != pid_namespace()? {
            return Ok(true);
        }
        Ok(start_time(self.pid)? != Some(self.start_time))
    }
}

/// Opens a record through no link and waits for nobody, whatever stands in its place.
fn open(root: BorrowedFd<'_>, name: &str) -> Result<File, Errno> {
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
    openat2(root, name, flags, Mode::empty(), resolve).map(File::from)
}

fn boot() -> io::Result<String> {
    Ok(std::fs::read_to_string("/proc/sys/kernel/random/boot_id")?.trim().to_owned())
}

fn pid_namespace() -> io::Result<String> {
    Ok(std::fs::read_link("/proc/self/ns/pid")?.to_string_lossy().into_owned())
}

/// When a process started; `None` when it has ended, if only its parent has not noticed yet.
fn start_time(pid: u32) -> io::Result<Option<u64>> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).map(Some).or_else(nothing_if_gone)?;
    stat.map_or(Ok(None), |stat| started(&stat))
}

/// What could not be read of a process is nothing only if the process is no more: before its files were
/// opened, or between that and their reading.
fn nothing_if_gone(error: io::Error) -> io::Result<Option<Vec<u8>>> {
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::ESRCH) => Ok(None),
        Some(_) | None => Err(error),
    }
}

/// Reads `/proc/PID/stat`, proc_pid_stat(5).
fn started(stat: &[u8]) -> io::Result<Option<u64>> {
    // The name in parentheses may hold anything, a closing parenthesis too.
    let text = String::from_utf8_lossy(stat);
    let (_, fields) = text.rsplit_once(") ").ok_or(io::ErrorKind::InvalidData)?;
    let mut fields = fields.split(' ');
    let state = fields.next().ok_or(io::ErrorKind::InvalidData)?;
    let start = fields.nth(18).and_then(|field| field.parse().ok());
    let start = start.ok_or(io::ErrorKind::InvalidData)?;
    match state {
        "Z" | "X" => Ok(None),
        _living => Ok(Some(start)),
    }
}

#[cfg(test)]
mod tests;
