//! Why a set of grants becomes no policy. Nothing runs.

use super::Resource;
use crate::policy::GrantError;
use std::io;
use std::path::PathBuf;

/// Why a set of grants becomes no policy.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// No confinement of this kind can keep the grant.
    #[error("S1 cannot enforce the grant of {grant}: {why}")]
    Unenforceable {
        /// Of what.
        grant: Resource,
        /// Why not.
        why: &'static str,
    },
    /// A place cannot be granted, or the grants contradict each other.
    #[error(transparent)]
    Place(#[from] GrantError),
    /// Another file system is mounted inside a granted directory.
    #[error(
        "grant {grant:?} holds the mount point {mount:?}, which is another tree: grant it by its own name too, or less"
    )]
    Mounted {
        /// The granted directory.
        grant: PathBuf,
        /// Where something is mounted in it.
        mount: PathBuf,
    },
    /// A file that could be written has names outside the grants.
    #[error(
        "{file:?} in a write grant has {names} names and only {inside} of them inside: a write would change a file outside; copy it, or grant shared files"
    )]
    Shared {
        /// One name of the file.
        file: PathBuf,
        /// How many names it has.
        names: u64,
        /// How many of them are granted.
        inside: u64,
    },
    /// A grant holds what must stay the host's own.
    #[error("grant {grant:?} holds {protected:?}, which is not to be granted: grant less")]
    Protected {
        /// The granted place.
        grant: PathBuf,
        /// What it holds.
        protected: PathBuf,
    },
    /// What lies inside a grant could not be looked at.
    #[error("look into {path:?}: {call}: {source}")]
    Look {
        /// Where.
        path: PathBuf,
        /// The call that failed.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
}

impl Refusal {
    /// Whether the grants are sound and S1 is not enough for them. All else is a mistake in them, or an
    /// attack on them.
    pub fn is_unenforceable(&self) -> bool {
        matches!(self, Self::Unenforceable { .. })
    }
}
