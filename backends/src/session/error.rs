//! Linux. Why there is no session.

use super::root::RootError;
use crate::linux::discover::DiscoverError;
use crate::policy::GrantError;
use crate::protection::Unavailable;
use std::path::PathBuf;

/// Why there is no session. No program ran.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The interpreter cannot be found, or does not say what it needs.
    #[error(transparent)]
    Python(#[from] DiscoverError),
    /// What the interpreter needs cannot be granted.
    #[error(transparent)]
    Grant(#[from] GrantError),
    /// There is no session root.
    #[error(transparent)]
    Root(#[from] RootError),
    /// The confinement cannot be applied on this host. No change of a program helps.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The session's root would be granted to its own programs, and with it those of others.
    #[error("session root {root:?} lies inside the grant {grant:?}: name another base directory")]
    InsideGrant {
        /// The root.
        root: PathBuf,
        /// The granted directory.
        grant: String,
    },
    /// This process was forked off the one that made the session. Programs of both would meet in its directories.
    #[error(
        "session root {root:?} is of the process that this one was forked off from: make a session of its own"
    )]
    OfAnother {
        /// The root.
        root: PathBuf,
    },
    /// A backend was named that commits to no policy. Only the mode `audit-only` runs without confinement.
    #[error(
        "backend {backend:?} does not confine by a policy that it commits to: to run without confinement, ask for the mode audit-only"
    )]
    NotConfined {
        /// Its name.
        backend: String,
    },
}
