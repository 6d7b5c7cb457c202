//! One granted path, checked so that its text names one inode and nothing else.

use super::{PROGRAM, RUN};
use serde::{Serialize, Serializer};
use std::fmt;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// A granted place and what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Grant {
    path: Place,
    kind: Kind,
    /// Not part of the canonical form: the commitment says which paths are granted, and a launch
    /// refuses a path that has become something else.
    #[serde(skip)]
    identity: Option<Identity>,
}

/// What stood at a path when it was checked. The number alone does not tell a file from its successor,
/// because file systems give the number of a removed file to the next one; the time of birth does,
/// where the file system keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    device: u64,
    inode: u64,
    born: Option<SystemTime>,
}

impl Identity {
    /// The identity of what this metadata describes.
    pub fn of(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino(), born: metadata.created().ok() }
    }
}

/// Where a grant points.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The run directory of the program, whatever its name in this run.
    Run,
    /// The text of the program, which the host writes afresh for each run.
    Program,
    /// A real, absolute, resolved path in UTF-8.
    Path(String),
}

/// What a granted place is; the kernel takes other rights for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A directory with everything beneath it.
    Directory,
    /// A single file, of any type but directory.
    File,
}

/// Why a path cannot be granted.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The path is empty.
    #[error("a grant is empty: it names no path")]
    Empty,
    /// The path is relative.
    #[error("grant {path:?} is relative: grants are absolute paths")]
    Relative {
        /// The path as given.
        path: PathBuf,
    },
    /// The path holds `..`.
    #[error("grant {path:?} holds `..`: grants are plain paths")]
    DotDot {
        /// The path as given.
        path: PathBuf,
    },
    /// The path holds a NUL byte.
    #[error("grant {path:?} holds a NUL byte")]
    Nul {
        /// The path as given.
        path: PathBuf,
    },
    /// The path is not UTF-8, which the canonical form needs.
    #[error("grant {path:?} is not UTF-8, which the canonical form of a policy needs")]
    NotUtf8 {
        /// The path as given.
        path: PathBuf,
    },
    /// The path is the root directory.
    #[error(
        "grant {path:?} is the root directory: a sandbox that grants everything confines nothing"
    )]
    Root {
        /// The path as given.
        path: PathBuf,
    },
    /// The path is a symbolic link or goes through one.
    #[error("grant {path:?} is or goes through a symbolic link: grant {resolved:?} instead")]
    Symlink {
        /// The path as given.
        path: PathBuf,
        /// Where it leads now.
        resolved: PathBuf,
    },
    /// The path cannot be looked up.
    #[error("grant {path:?}: {call}: {source}{remedy}")]
    LookUp {
        /// The path as given.
        path: PathBuf,
        /// The call that failed.
        call: &'static str,
        /// Its error.
        source: io::Error,
        /// What to do about it, or nothing.
        remedy: &'static str,
    },
    /// A directory cannot be executed.
    #[error("grant {path:?} is a directory: only single files are granted for execution")]
    ExecuteDirectory {
        /// The path as given.
        path: PathBuf,
    },
    /// A read grant lies inside a write grant.
    #[error("read grant {inner} lies inside write grant {outer}: it could be written all the same")]
    NarrowerInside {
        /// The narrower grant.
        inner: Place,
        /// The wider grant.
        outer: Place,
    },
}

impl Grant {
    /// The run directory.
    pub(super) fn run_directory() -> Self {
        Self { path: Place::Run, kind: Kind::Directory, identity: None }
    }

    /// The text of the program.
    pub(super) fn program_text() -> Self {
        Self { path: Place::Program, kind: Kind::File, identity: None }
    }

    /// Checks a path and finds out what it is. Nothing is granted that could mean something else
    /// later: no relative path, no `..`, no symbolic link on the way, no root directory.
    pub(super) fn of(path: &Path) -> Result<Self, GrantError> {
        let text = plain(path)?;
        // Repeated and trailing slashes, and `.`, mean nothing and go.
        let text: PathBuf = Path::new(text).components().collect();
        let owned = || path.to_owned();
        let resolved = path.canonicalize().map_err(|source| {
            let remedy = if source.kind() == io::ErrorKind::NotFound {
                "; a path must exist to be granted: to let a program create it, grant its directory"
            } else {
                ""
            };
            GrantError::LookUp { path: owned(), call: "realpath", source, remedy }
        })?;
        if resolved != text {
            return Err(GrantError::Symlink { path: owned(), resolved });
        }
        let metadata = path.symlink_metadata().map_err(|source| GrantError::LookUp {
            path: owned(),
            call: "lstat",
            source,
            remedy: "",
        })?;
        let kind = if metadata.is_dir() { Kind::Directory } else { Kind::File };
        let text = text.to_str().ok_or_else(|| GrantError::NotUtf8 { path: owned() })?;
        let identity = Some(Identity::of(&metadata));
        Ok(Self { path: Place::Path(text.to_owned()), kind, identity })
    }

    /// Where the grant points.
    pub fn place(&self) -> &Place {
        &self.path
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What stood there when it was checked; nothing for the run directory, which does not exist yet.
    pub fn identity(&self) -> Option<Identity> {
        self.identity
    }

    /// Whether `inner` is this place under another name, or lies beneath this directory.
    pub(super) fn holds(&self, inner: &Self) -> bool {
        match (&self.path, &inner.path) {
            (Place::Path(outer), Place::Path(inner)) => holds(Path::new(outer), Path::new(inner)),
            (Place::Run | Place::Program, _) | (_, Place::Run | Place::Program) => false,
        }
    }
}

/// Whether `inner` is the same as `outer` or lies beneath it, by what stands at `outer` and on the way to
/// `inner`. The text of paths does not decide: a directory can have several spellings, by mounts and
/// where file systems fold case.
pub(crate) fn holds(outer: &Path, inner: &Path) -> bool {
    let identity = |path: &Path| path.symlink_metadata().ok().map(|found| Identity::of(&found));
    let Some(same) = identity(outer) else { return false };
    inner.ancestors().any(|above| identity(above) == Some(same))
}

/// The checks that need the text of the path alone.
pub(crate) fn plain(path: &Path) -> Result<&str, GrantError> {
    let owned = || path.to_owned();
    if path.as_os_str().is_empty() {
        return Err(GrantError::Empty);
    }
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(GrantError::Nul { path: owned() });
    }
    if !path.is_absolute() {
        return Err(GrantError::Relative { path: owned() });
    }
    if path.components().any(|component| component == Component::ParentDir) {
        return Err(GrantError::DotDot { path: owned() });
    }
    if path.parent().is_none() {
        return Err(GrantError::Root { path: owned() });
    }
    path.to_str().ok_or_else(|| GrantError::NotUtf8 { path: owned() })
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run => formatter.write_str(RUN),
            Self::Program => formatter.write_str(PROGRAM),
            Self::Path(path) => write!(formatter, "{path:?}"),
        }
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Run => RUN,
            Self::Program => PROGRAM,
            Self::Path(path) => path,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_number_that_is_given_out_again_is_told_apart_by_the_birth_of_its_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let metadata = file.path().symlink_metadata().unwrap();
        let first = Identity::of(&metadata);
        assert_eq!(first.born, metadata.created().ok());
        assert_eq!(first, Identity::of(&file.path().symlink_metadata().unwrap()));
        let born = metadata.created().unwrap_or(SystemTime::UNIX_EPOCH) + Duration::from_nanos(1);
        assert_ne!(first, Identity { born: Some(born), ..first });
    }
}
