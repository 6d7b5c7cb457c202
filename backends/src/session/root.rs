//! Linux. Where a session lives: a private base directory, and in it one root for each session, with an
//! owner record and a lock that is held for as long as the session lives.

use crate::owner::{Owner, RecordError};
use crate::sweep::{remove_contents, remove_tree};
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, flock, mkdirat, open, openat, statat};
use rustix::io::Errno;
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How the name of every session root begins.
pub(crate) const PREFIX: &str = "session-";
/// The owner record in a root.
pub(crate) const RECORD: &str = "owner.json";

const PRIVATE: Mode = Mode::RWXU;
const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Why there is no session root.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// A call failed.
    #[error("session root {path:?}: {call}: {source}")]
    Call {
        /// The path.
        path: PathBuf,
        /// The call.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// The base directory belongs to somebody else, who could replace what is in it.
    #[error(
        "base directory {path:?} belongs to user {owner}, not to user {user}: name another one"
    )]
    NotOurs {
        /// The base directory.
        path: PathBuf,
        /// Its owner.
        owner: u32,
        /// Who we are.
        user: u32,
    },
    /// Others may look into the base directory.
    #[error("base directory {path:?} has mode {mode:o}: it must be open to its owner alone (0700)")]
    NotPrivate {
        /// The base directory.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The base directory lies in a tree that the host said its referee reads.
    #[error("session root {path:?} lies inside {tree:?}, which the host keeps it out of")]
    Inside {
        /// Where the root would be.
        path: PathBuf,
        /// The tree.
        tree: PathBuf,
    },
    /// The base directory was removed while the root was made.
    #[error("base directory {path:?} was removed while a session was made in it")]
    BaseGone {
        /// The base directory.
        path: PathBuf,
    },
    /// The owner record cannot be written.
    #[error("session root {path:?}: {source}")]
    Record {
        /// The root.
        path: PathBuf,
        /// Why.
        source: RecordError,
    },
}

fn failed(path: &Path, call: &'static str) -> impl FnOnce(io::Error) -> RootError {
    let path = path.to_owned();
    move |source| RootError::Call { path, call, source }
}

/// The directory that holds the session roots of one user: mode 0700, ours, and no symbolic link. It must
/// lie on a file system of this machine, because the locks in it do.
#[derive(Debug)]
pub struct Base {
    path: PathBuf,
    directory: OwnedFd,
    /// Whether it is nobody's but ours, and goes with the last session.
    passing: bool,
}

impl Base {
    /// The place that is used when the host names none: `escapology-UID` in the folder for temporary
    /// files. It goes with the last session in it.
    pub fn default_path() -> PathBuf {
        let user = rustix::process::geteuid().as_raw();
        std::env::temp_dir().join(format!("escapology-{user}"))
    }

    /// Opens the base directory and makes it if it is not there. Its parent must be.
    ///
    /// # Errors
    /// When it is not private to this user, or lies in one of the trees.
    pub fn open(path: &Path, keep_out_of: &[PathBuf]) -> Result<Self, RootError> {
        let passing = path == Self::default_path();
        let (parent, name) = match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => (parent, name),
            (None, _) | (_, None) => {
                return Err(failed(path, "open")(io::ErrorKind::InvalidInput.into()));
            }
        };
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        let parent = fs::canonicalize(parent).map_err(failed(parent, "realpath"))?;
        let path = parent.join(name);
        for tree in keep_out_of {
            if lies_inside(&path, &parent, tree)? {
                return Err(RootError::Inside { path, tree: tree.clone() });
            }
        }
        match rustix::fs::mkdir(&path, PRIVATE) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => return Err(failed(&path, "mkdir")(errno.into())),
        }
        let directory = match open(&path, DIRECTORY, Mode::empty()) {
            Err(Errno::NOENT) if passing => return Err(RootError::BaseGone { path }),
            opened => opened.map_err(|errno| failed(&path, "open")(errno.into()))?,
        };
        let stat =
            rustix::fs::fstat(&directory).map_err(|errno| failed(&path, "fstat")(errno.into()))?;
        let user = rustix::process::geteuid().as_raw();
        if stat.st_uid != user {
            return Err(RootError::NotOurs { path, owner: stat.st_uid, user });
        }
        if stat.st_mode & 0o077 != 0 {
            return Err(RootError::NotPrivate { path, mode: stat.st_mode & 0o7777 });
        }
        Ok(Self { path, directory, passing })
    }

    /// Where it is: absolute, and its parents are no links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn directory(&self) -> &OwnedFd {
        &self.directory
    }
}

/// Whether a path lies in a tree: by name after all links are resolved, and by the identity of its
/// parents, for a tree that is mounted at a second place has two names.
fn lies_inside(path: &Path, parent: &Path, tree: &Path) -> Result<bool, RootError> {
    let tree = match fs::canonicalize(tree) {
        Ok(tree) => tree,
        // A tree that does not exist yet: its parent decides what it will be called.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let absolute = std::path::absolute(tree).map_err(failed(tree, "getcwd"))?;
            return Ok(path.starts_with(resolved_start(&absolute)));
        }
        Err(error) => return Err(failed(tree, "realpath")(error)),
    };
    if path.starts_with(&tree) {
        return Ok(true);
    }
    let wanted = fs::metadata(&tree).map_err(failed(&tree, "stat"))?;
    for above in parent.ancestors() {
        let found = fs::metadata(above).map_err(failed(above, "stat"))?;
        if (found.dev(), found.ino()) == (wanted.dev(), wanted.ino()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A path with its longest existing beginning resolved.
fn resolved_start(path: &Path) -> PathBuf {
    path.ancestors()
        .find_map(|start| {
            let rest = path.strip_prefix(start).ok()?;
            fs::canonicalize(start).ok().map(|start| start.join(rest))
        })
        .unwrap_or_else(|| path.to_owned())
}

/// The root of one session.
#[derive(Debug)]
pub(crate) struct Root {
    base: Base,
    name: CString,
    path: PathBuf,
    directory: OwnedFd,
    maker: u32,
}

impl Root {
    /// Makes a root, takes its lock and writes its record, in this order: a sweep leaves a root alone
    /// that has no record yet, and from the record on the lock is held.
    pub(crate) fn make(base: Base, backend: &str) -> Result<Self, RootError> {
        let text = format!("{PREFIX}{}-{}", std::process::id(), random_name(&base.path)?);
        let name = CString::new(text.as_str()).unwrap_or_default();
        let path = base.path.join(&text);
        let errno = |call| {
            let path = path.clone();
            move |errno: Errno| RootError::Call { path, call, source: errno.into() }
        };
        match mkdirat(&base.directory, name.as_c_str(), PRIVATE) {
            // The last session in the base directory took it along, after it was opened.
            Err(Errno::NOENT) if base.passing => {
                return Err(RootError::BaseGone { path: base.path });
            }
            made => made.map_err(errno("mkdir"))?,
        }
        let directory = openat(&base.directory, name.as_c_str(), DIRECTORY, Mode::empty())
            .map_err(errno("open"))?;
        // A sweep that is just looking at this root holds the lock for that moment.
        while let Err(error) = flock(&directory, FlockOperation::LockExclusive) {
            if error != Errno::INTR {
                return Err(errno("flock")(error));
            }
        }
        let record = |source| RootError::Record { path: path.clone(), source };
        let owner = Owner::current(backend).map_err(record)?;
        owner.write(directory.as_fd(), RECORD).map_err(record)?;
        Ok(Self { base, name, path, directory, maker: std::process::id() })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn directory(&self) -> &OwnedFd {
        &self.directory
    }

    /// The session's name in events.
    pub(crate) fn id(&self) -> &str {
        self.name.to_str().unwrap_or_default().trim_start_matches(PREFIX)
    }

    /// Whether this process made it, and not one that it was forked off from.
    pub(crate) fn is_ours(&self) -> bool {
        self.maker == std::process::id()
    }

    /// Removes the root and returns what stayed.
    pub(crate) fn release(&self) -> Vec<String> {
        let base = &self.base.directory;
        let findings = match statat(base, self.name.as_c_str(), AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => Vec::new(),
            // The record goes last: if this is killed, the next sweep knows that the root is dead.
            Ok(_) | Err(_) => {
                let _told_below = remove_contents(&self.directory, &[RECORD]);
                remove_tree(base, &self.name).findings()
            }
        };
        if self.base.passing {
            let _other_sessions_are_in_it = rustix::fs::rmdir(&self.base.path);
        }
        findings
    }
}

/// Sixteen hexadecimal digits that nobody can guess.
pub(crate) fn random_name(path: &Path) -> Result<String, RootError> {
    let mut bytes = [0; 8];
    let random = fs::File::open("/dev/urandom")
        .and_then(|mut file| io::Read::read_exact(&mut file, &mut bytes));
    random.map_err(failed(path, "read \"/dev/urandom\""))?;
    Ok(hex::encode(bytes))
}

/// The one byte form of a path's last name, for calls beneath a directory.
pub(crate) fn last_name(path: &Path) -> CString {
    let name = path.file_name().unwrap_or_default();
    CString::new(name.as_bytes()).unwrap_or_default()
}
