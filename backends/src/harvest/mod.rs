//! Linux. The only way that files leave a run directory: regular files that the host's pattern names,
//! copied byte by byte, after every process of the run is dead.
//!
//! Nothing is followed, renamed, linked, parsed or unpacked. Of a file only its content and its checked name
//! leave: no mode, owner, time, attribute or access list. What is refused is a finding, never a silence and
//! never an error of the host.

mod copy;
mod inspect;
mod name;
mod pattern;
mod save;

pub use name::BadName;
pub use pattern::{Pattern, PatternError};
pub use save::SaveError;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What a harvest may take. What is above is left, and named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarvestLimits {
    /// Files.
    pub files: usize,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files together.
    pub bytes: u64,
    /// Directories on the way to a file. Each holds one descriptor while it is looked at.
    pub depth: usize,
    /// Entries that are looked at, whether they match or not.
    pub entries: usize,
}

impl Default for HarvestLimits {
    fn default() -> Self {
        Self { files: 1_000, file_bytes: 1 << 26, bytes: 1 << 28, depth: 16, entries: 20_000 }
    }
}

/// What left a run directory. The copies lie in the session root, under names of the host's, until the run
/// is dropped.
#[derive(Debug)]
pub struct Harvest {
    files: Vec<Harvested>,
    findings: Vec<Finding>,
}

impl Harvest {
    /// The copies, in the order of their names.
    pub fn files(&self) -> &[Harvested] {
        &self.files
    }

    /// What matched and was left, and why.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Whether everything that matched was copied.
    pub fn is_complete(&self) -> bool {
        self.findings.is_empty()
    }

    /// Writes the copies below a directory of the host's, under their own names, mode 0644 and with a fixed
    /// time. It makes what is missing and replaces nothing.
    ///
    /// # Errors
    /// When a name exists already, leads through a link, or a call fails. Files before it are written.
    pub fn save(&self, into: &Path) -> Result<(), SaveError> {
        self.files.iter().try_for_each(|file| save::save(file, into))
    }
}

/// One copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harvested {
    name: String,
    size: u64,
    copy: PathBuf,
}

impl Harvested {
    /// Its path below the run directory: relative, plain, each part a checked name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The content. It is what the program wrote: hostile text or hostile data.
    ///
    /// # Errors
    /// The error of open(2) or read(2).
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        self.open()?.read_to_end(&mut content)?;
        Ok(content)
    }

    /// The copy, to be read.
    ///
    /// # Errors
    /// The error of open(2).
    pub fn open(&self) -> io::Result<File> {
        File::open(&self.copy)
    }
}

/// Something that matched and was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its path below the run directory, with every byte escaped that is not printable ASCII.
    pub path: String,
    /// Why it was left.
    pub why: Why,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.why)
    }
}

/// Why something was left.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// It is a symbolic link.
    #[error("a symbolic link")]
    Link,
    /// It is neither a regular file nor a directory: a FIFO, a socket, a device.
    #[error("not a regular file")]
    NotAFile,
    /// It has a second name, behind which it can be changed.
    #[error("a hard link: the file has {0} names")]
    HardLink(u64),
    /// It would run with another identity.
    #[error("set-user-id or set-group-id (mode {0:o})")]
    SetId(u32),
    /// It holds far less than its size says.
    #[error("sparse: {size} bytes, {stored} of them stored")]
    Sparse {
        /// Its size.
        size: u64,
        /// What is stored of it.
        stored: u64,
    },
    /// It is larger than a file may be.
    #[error("too large: {size} bytes, at most {most}")]
    TooLarge {
        /// Its size.
        size: u64,
        /// The limit.
        most: u64,
    },
    /// Its name may not leave.
    #[error("{0}")]
    Name(BadName),
    /// Tools act on a file of this name, and the pattern does not spell it.
    #[error("tools act on this name: the pattern must spell it")]
    ActedOn,
    /// It is on another file system.
    #[error("another file system is mounted here")]
    Mount,
    /// It lies deeper than directories are followed.
    #[error("deeper than {0} directories")]
    TooDeep(usize),
    /// A limit of the whole harvest was reached, and this and what follows was left.
    #[error("the harvest's limit of {most} {what} is reached")]
    Full {
        /// Of what.
        what: &'static str,
        /// The limit.
        most: u64,
    },
    /// It cannot be read.
    #[error("{call}: {message}")]
    Unreadable {
        /// The call.
        call: &'static str,
        /// Its error.
        message: String,
    },
    /// It changed while it was copied.
    #[error("it changed while it was copied")]
    Changed,
}

/// Why there is no harvest.
#[derive(Debug, thiserror::Error)]
pub enum HarvestError {
    /// The pattern is none.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A process of the run lives, and could change what is copied.
    #[error("a process of the run is still alive: nothing is harvested")]
    StillAlive,
    /// A call on the host's own side failed.
    #[error("harvest: {call}: {source}")]
    Call {
        /// The call.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
}

/// Copies what matches from the directory `run` into a fresh directory `into`.
pub(crate) fn harvest(
    run: &Path,
    into: &Path,
    pattern: &str,
    limits: &HarvestLimits,
) -> Result<Harvest, HarvestError> {
    let pattern: Pattern = pattern.parse()?;
    copy::Harvester::new(run, into, &pattern, limits)?.take()
}
