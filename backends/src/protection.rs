//! What a sandbox promises, protection by protection, and how it says that it cannot keep a promise.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;

/// One promise of a sandbox. S1 needs all but the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protection {
    /// Files outside the grants cannot be read.
    FileRead,
    /// Files outside the grants cannot be written, created or removed.
    FileWrite,
    /// Mode, owner, times and attributes of files outside the grants cannot be changed.
    FileAttributes,
    /// No second process can be started.
    Spawn,
    /// No second program can be executed.
    Execute,
    /// No socket reaches out of the process.
    Network,
    /// No other process can be signalled, traced, read or limited.
    OtherProcesses,
    /// Kernel interfaces that the policy does not need are closed.
    KernelSurface,
    /// No descriptor of the launcher is inherited.
    Descriptors,
    /// No variable of the launcher's environment is inherited.
    Environment,
    /// The program has no capability and cannot gain any.
    Capabilities,
    /// Files outside the grants cannot be looked at, so that not even their existence shows.
    Metadata,
}

impl Protection {
    /// What S1 needs.
    pub const S1: [Self; 11] = [
        Self::FileRead,
        Self::FileWrite,
        Self::FileAttributes,
        Self::Spawn,
        Self::Execute,
        Self::Network,
        Self::OtherProcesses,
        Self::KernelSurface,
        Self::Descriptors,
        Self::Environment,
        Self::Capabilities,
    ];

    /// All protections, in the order of reports.
    pub const ALL: [Self; 12] = [
        Self::FileRead,
        Self::FileWrite,
        Self::FileAttributes,
        Self::Spawn,
        Self::Execute,
        Self::Network,
        Self::OtherProcesses,
        Self::KernelSurface,
        Self::Descriptors,
        Self::Environment,
        Self::Capabilities,
        Self::Metadata,
    ];

    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::FileRead => "file-read",
            Self::FileWrite => "file-write",
            Self::FileAttributes => "file-attributes",
            Self::Spawn => "spawn",
            Self::Execute => "execute",
            Self::Network => "network",
            Self::OtherProcesses => "other-processes",
            Self::KernelSurface => "kernel-surface",
            Self::Descriptors => "descriptors",
            Self::Environment => "environment",
            Self::Capabilities => "capabilities",
            Self::Metadata => "metadata",
        }
    }
}

impl fmt::Display for Protection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a backend can do on this host, found out by seeing a denial and not by version numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Support {
    /// One line a protection that the backend claims.
    pub protections: Vec<Seen>,
}

impl Support {
    /// The protections that are unavailable, with the reason.
    pub fn missing(&self) -> impl Iterator<Item = (&Protection, &str)> {
        self.protections.iter().filter_map(|seen| match &seen.state {
            State::Active => None,
            State::Unavailable(why) => Some((&seen.protection, why.as_str())),
        })
    }
}

/// One protection as it was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Which one.
    pub protection: Protection,
    /// Whether its denial was seen.
    pub state: State,
}

/// Whether a protection works here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// A throw-away program was denied.
    Active,
    /// It was not, or could not be tried, with the reason.
    Unavailable(String),
}

/// The confinement cannot be applied on this host. Nothing ran.
#[derive(Debug, thiserror::Error)]
#[error("{protection} cannot be enforced here: {call}: {reason}; {remedy}")]
pub struct Unavailable {
    /// The protection that is lost.
    pub protection: Protection,
    /// The call that showed it.
    pub call: &'static str,
    /// What the call answered.
    pub reason: Reason,
    /// What the host's owner can do.
    pub remedy: &'static str,
}

/// Why a confinement cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// A call failed.
    #[error("{0}")]
    Call(#[from] io::Error),
    /// A call on a path failed.
    #[error("{path:?}: {source}")]
    Path {
        /// The path.
        path: std::path::PathBuf,
        /// The call's error.
        source: io::Error,
    },
    /// The kernel accepts the call and does not enforce it, or says what it cannot do.
    #[error("{0}")]
    Behaviour(String),
}
