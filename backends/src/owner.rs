//! Linux. The owner record of a session root: which process made it, so that a later one can tell a root
//! whose owner died from one that is in use.

use rustix::fs::{Mode, OFlags, ResolveFlags, openat, openat2};
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
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
        let file = openat2(root, name, flags, Mode::empty(), resolve)
            .map_err(|errno| failed("openat2")(errno.into()))?;
        let file = File::from(file);
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

fn boot() -> io::Result<String> {
    Ok(std::fs::read_to_string("/proc/sys/kernel/random/boot_id")?.trim().to_owned())
}

fn pid_namespace() -> io::Result<String> {
    Ok(std::fs::read_link("/proc/self/ns/pid")?.to_string_lossy().into_owned())
}

/// When a process started; `None` when it has ended, if only its parent has not noticed yet.
fn start_time(pid: u32) -> io::Result<Option<u64>> {
    let stat = match std::fs::read(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => return Ok(None),
        Err(error) => return Err(error),
    };
    // The name in parentheses may hold anything, a closing parenthesis too.
    let text = String::from_utf8_lossy(&stat);
    let (_, fields) = text.rsplit_once(") ").ok_or(io::ErrorKind::InvalidData)?;
    let mut fields = fields.split(' ');
    let state = fields.next().ok_or(io::ErrorKind::InvalidData)?;
    let start = fields.nth(18).and_then(|field| field.parse().ok());
    let start = start.ok_or(io::ErrorKind::InvalidData)?;
    Ok((!matches!(state, "Z" | "X")).then_some(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn a_record_is_read_as_it_was_written_and_its_writer_lives() {
        let folder = tempfile::tempdir().unwrap();
        let root = File::open(folder.path()).unwrap();
        let owner = Owner::current("native").unwrap();
        owner.write(root.as_fd(), "record").unwrap();
        let read = Owner::read(root.as_fd(), "record").unwrap();
        assert_eq!((&read, read.life()), (&owner, Life::Living));
        assert!(Owner::read(root.as_fd(), "absent").is_err());
    }

    #[test]
    fn an_owner_has_ended_when_its_pid_is_gone_or_reused_or_of_another_boot() {
        let owner = Owner::current("native").unwrap();
        let changed = |change: &dyn Fn(&mut Owner)| {
            let mut owner = owner.clone();
            change(&mut owner);
            owner.life()
        };
        assert_eq!(changed(&|_owner| ()), Life::Living);
        assert_eq!(changed(&|owner| owner.pid = 0), Life::Ended);
        assert_eq!(changed(&|owner| owner.start_time += 1), Life::Ended);
        assert_eq!(changed(&|owner| owner.boot.push('x')), Life::Ended);
        // A record of a later version may mean anything.
        assert_eq!(changed(&|owner| owner.schema = 2), Life::Living);
    }

    #[test]
    fn a_record_that_is_a_link_a_fifo_or_endless_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = File::open(folder.path()).unwrap();
        Owner::current("native").unwrap().write(root.as_fd(), "record").unwrap();
        std::os::unix::fs::symlink("record", folder.path().join("link")).unwrap();
        rustix::fs::mkfifoat(&root, "fifo", Mode::RWXU).unwrap();
        let endless = File::create(folder.path().join("endless")).unwrap();
        endless.set_len(1 << 40).unwrap();
        for name in ["link", "fifo", "endless"] {
            assert!(Owner::read(root.as_fd(), name).is_err(), "{name}");
        }
        Owner::read(root.as_fd(), "record").unwrap();
    }
}
