//! What a session tells its host: one event, one line of JSON. `docs/events.md` is the schema.
//!
//! Names and texts that a program chose stand in events with every byte escaped that is not printable
//! ASCII ([`printable`]), so that a line of an event file can be shown on a terminal and read back.

use crate::policy::Commitment;
use crate::protection::{Protection, Unavailable};
use rustix::fs::{Mode, OFlags};
use serde::Serialize;
use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

/// The version of the schema, in every event.
pub const SCHEMA: u32 = 1;

/// One thing that happened, when, in which session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Milliseconds since 1970, by the host's clock.
    pub time: u64,
    /// The session, or nothing where none could be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event")]
pub enum What {
    /// A session was made.
    #[serde(rename = "SANDBOX_SESSION")]
    Session {
        /// The backend that confines its programs.
        backend: String,
        /// What that is made of; nothing where nothing confines.
        mechanism: Option<String>,
        /// The commitment to the policy; nothing where nothing confines.
        commitment: Option<Commitment>,
        /// Why its programs are not confined, where they are not.
        #[serde(skip_serializing_if = "Option::is_none")]
        warning: Option<String>,
    },
    /// A program ran, or was refused.
    #[serde(rename = "SANDBOX_RUN")]
    Run {
        /// Which program of the session, from 1.
        run: u64,
        /// The backend that confined it.
        backend: String,
        /// What that is made of.
        mechanism: Option<String>,
        /// The commitment to the policy under which it ran.
        commitment: Option<Commitment>,
        /// How it ended: a word of [`crate::executor::Outcome`].
        outcome: &'static str,
        /// The exit code or the signal, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<i32>,
        /// Wall-clock time in microseconds.
        wall_microseconds: u64,
        /// CPU time in microseconds.
        cpu_microseconds: u64,
        /// Largest resident set in bytes.
        peak_memory: u64,
        /// Bytes of standard output and standard error that were kept.
        output_bytes: [u64; 2],
    },
    /// Files left a run directory, or were refused.
    #[serde(rename = "SANDBOX_HARVEST")]
    Harvest {
        /// Which program of the session.
        run: u64,
        /// The host's pattern.
        pattern: String,
        /// Files that were copied.
        files: u64,
        /// Bytes that were copied.
        bytes: u64,
        /// What was refused, and why.
        findings: Vec<String>,
    },
    /// The confinement cannot be applied: no program ran.
    #[serde(rename = "SANDBOX_UNAVAILABLE")]
    Unavailable {
        /// The protection that is lost.
        protection: Protection,
        /// The call that showed it.
        call: &'static str,
        /// What it answered.
        reason: String,
        /// What the host's owner can do.
        remedy: &'static str,
        /// Always false: no change of the program helps, so a host must not spend a repair on it.
        repairable: bool,
    },
    /// A root that a dead process left was removed.
    #[serde(rename = "SANDBOX_SWEEP")]
    Sweep {
        /// Its name.
        root: String,
        /// What could not be removed.
        findings: Vec<String>,
    },
    /// Something stayed that should not have.
    #[serde(rename = "SANDBOX_FINDING")]
    Finding {
        /// Which program left it, if one did.
        #[serde(skip_serializing_if = "Option::is_none")]
        run: Option<u64>,
        /// What it is.
        finding: String,
    },
    /// A session ended and its root was removed.
    #[serde(rename = "SANDBOX_RELEASED")]
    Released {
        /// How many programs ran in it.
        runs: u64,
        /// What could not be removed.
        findings: Vec<String>,
    },
}

impl Event {
    /// An event of now.
    pub fn now(session: Option<&str>, what: What) -> Self {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        Self { schema: SCHEMA, time, session: session.map(str::to_owned), what }
    }

    /// The event as one line of JSON, with the line's end.
    ///
    /// # Errors
    /// Never for the events of this file; the encoder's interface has it.
    pub fn line(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }
}

impl From<&Unavailable> for What {
    fn from(lost: &Unavailable) -> Self {
        Self::Unavailable {
            protection: lost.protection,
            call: lost.call,
            reason: printable(lost.reason.to_string().as_bytes()),
            remedy: lost.remedy,
            repairable: false,
        }
    }
}

/// Takes the events of a session wherever the host wants them. It is called in the thread in which they
/// happen, and must not call into the session.
pub trait Observer: Debug + Send + Sync {
    /// One event happened.
    fn event(&self, event: &Event);
}

/// An event file: JSON lines, appended one write each, so that several processes can share it.
#[derive(Debug)]
pub struct EventFile {
    file: File,
    failure: Mutex<Option<io::Error>>,
}

impl EventFile {
    /// Opens or makes an event file, readable by its owner alone. A symbolic link is refused.
    ///
    /// # Errors
    /// The error of open(2).
    pub fn append(path: &Path) -> io::Result<Self> {
        let flags = OFlags::WRONLY
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let file = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?;
        Ok(Self { file: file.into(), failure: Mutex::new(None) })
    }

    /// The first error of a write, if there was one: an event was lost.
    pub fn failure(&self) -> Option<io::Error> {
        self.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }
}

impl Observer for EventFile {
    fn event(&self, event: &Event) {
        let written =
            event.line().map_err(io::Error::from).and_then(|line| (&self.file).write_all(&line));
        if let Err(error) = written {
            let mut failure =
                self.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            failure.get_or_insert(error);
        }
    }
}

/// Text with every byte escaped that is not printable ASCII. Different bytes have different texts.
pub fn printable(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protection::Reason;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn hostile_bytes_stay_on_one_line_and_apart() {
        let names: [&[u8]; 4] = [b"a\nb", b"a\\nb", b"\x1b[2J\xff", "\u{202e}".as_bytes()];
        let texts = names.map(printable);
        let mut apart = texts.to_vec();
        apart.sort();
        apart.dedup();
        assert_eq!(apart.len(), names.len(), "{texts:?}");
        assert!(texts.iter().all(|text| text.bytes().all(|byte| (0x20..0x7f).contains(&byte))));
    }

    #[test]
    fn what_is_unavailable_is_marked_as_not_repairable() {
        let lost = Unavailable {
            protection: Protection::FileRead,
            call: "landlock_create_ruleset",
            reason: Reason::Behaviour("switched\noff".to_owned()),
            remedy: "switch it on",
        };
        let event = Event::now(Some("1"), What::from(&lost));
        let line = String::from_utf8(event.line().unwrap()).unwrap();
        assert_eq!(line.matches('\n').count(), 1);
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["event"], "SANDBOX_UNAVAILABLE");
        assert_eq!(value["repairable"], false);
        assert_eq!(value["protection"], "file-read");
        assert_eq!(value["reason"], "switched\\noff");
    }

    #[test]
    fn an_event_file_is_appended_to_and_never_written_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("events"), folder.path().join("link"));
        let released = Event::now(None, What::Released { runs: 1, findings: Vec::new() });
        for _ in 0..2 {
            EventFile::append(&path).unwrap().event(&released);
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 2);
        // It tells what programs were given and what they left, and is nobody else's to read.
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(EventFile::append(&link).is_err());
    }
}
