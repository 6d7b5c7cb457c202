//! The rung of this host, earned by behaviour, once for each process: a program that is granted
//! nothing is launched bare and confined. Bare it must get out in every way, so that the instrument is
//! seen to work; confined in none, while its own files work. What counts is what is seen from outside.

#[cfg(target_os = "linux")]
mod arm;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(all(test, target_os = "linux"))]
mod tests;

#[cfg(target_os = "linux")]
pub use linux::of;
#[cfg(target_os = "linux")]
pub(crate) use linux::sandbox;
#[cfg(target_os = "macos")]
pub use macos::of;
#[cfg(target_os = "macos")]
pub(crate) use macos::sandbox;

use crate::policy::{Commitment, Policy};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

/// A way out that a probe tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// Reading a file outside.
    FileRead,
    /// Creating a file outside.
    FileWrite,
    /// Starting a second process.
    Subprocess,
    /// Connecting to a listener on the loopback.
    Loopback,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::FileRead, Self::FileWrite, Self::Subprocess, Self::Loopback];

    /// The words for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::FileRead => "file read",
            Self::FileWrite => "file write",
            Self::Subprocess => "subprocess",
            Self::Loopback => "loopback",
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// S1, as it was earned. It is made by a probe and by nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earned {
    mechanism: String,
    commitment: Commitment,
    policy: Policy,
}

impl Earned {
    /// What confines, such as `landlock/7+seccomp linux/6.18.44`.
    pub fn mechanism(&self) -> &str {
        &self.mechanism
    }

    /// The commitment to the policy that was applied.
    pub fn commitment(&self) -> Commitment {
        self.commitment
    }

    /// The policy that was applied: nothing is granted but the start of the program.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }
}

/// Why S1 is not earned. The rung is S0, and there is no mechanism.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotEarned {
    /// The probe itself could not be set up, or a launch failed.
    #[error("{0}")]
    Unavailable(String),
    /// Without the sandbox the program did not get out either: nothing can be said.
    #[error("the control did not get out: {0}")]
    Control(Way),
    /// The confined program could not use its own files.
    #[error("the confined program could not write its own file")]
    Own,
    /// The confined program got out.
    #[error("a confined program got out: {0}")]
    Escaped(Way),
    /// A protection was not seen to deny.
    #[error("{protection}: {why}")]
    Protection {
        /// Which one.
        protection: &'static str,
        /// What was seen in its place.
        why: String,
    },
    /// The backend commits to no policy, so what holds is not a whole sandbox.
    #[error("backend {0} commits to no policy")]
    Uncommitted(String),
}

/// What a probe found.
#[derive(Clone, Debug)]
pub struct Probe {
    /// S1 as it was earned, or why it was not.
    pub rung: Result<Earned, NotEarned>,
    /// What was seen of each way: whether the program got out bare, and confined.
    pub seen: BTreeMap<Way, (bool, bool)>,
}

/// The rung of this host under `native`: found out at the first call, and the same for all threads.
pub fn host() -> &'static Probe {
    static FOUND: OnceLock<Probe> = OnceLock::new();
    FOUND.get_or_init(|| of(&sandbox(false)))
}

/// As [`host`], with a mount namespace that hides what is not granted, where there is one to hide it.
pub fn host_hiding_metadata() -> &'static Probe {
    static FOUND: OnceLock<Probe> = OnceLock::new();
    FOUND.get_or_init(|| of(&sandbox(true)))
}
