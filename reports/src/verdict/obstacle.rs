//! What stands between a backend and the next rung.

use crate::record::Runtime;
use serde::Serialize;

/// One thing that stands between a backend and the next rung.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Obstacle {
    /// What: the id of an escape or a useful-work case, a family, a protection, or the backend.
    pub subject: String,
    /// Under which runtime, where that matters.
    pub runtime: Option<Runtime>,
    /// In which way.
    pub why: Why,
}

/// In which way something stands between a backend and the next rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The escape got out.
    Escaped,
    /// The escape got out through a declared gap, which the rung does not allow.
    Residue,
    /// The trial proves nothing.
    Inconclusive,
    /// The useful work does not work under the sandbox.
    Broken,
    /// No escape of this family was held, so that nothing shows that this family can be.
    NothingHeld,
    /// No escape of this family was planned.
    NothingPlanned,
    /// A protection that the backend claims is not there.
    Unprotected,
    /// The backend claims no mechanism.
    NoMechanism,
    /// A filter left cells out.
    Filtered,
    /// The backend cannot be used on this host.
    Unavailable,
}

impl Why {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Escaped => "escaped",
            Self::Residue => "residue",
            Self::Inconclusive => "inconclusive",
            Self::Broken => "broken",
            Self::NothingHeld => "nothing-held",
            Self::NothingPlanned => "nothing-planned",
            Self::Unprotected => "unprotected",
            Self::NoMechanism => "no-mechanism",
            Self::Filtered => "filtered",
            Self::Unavailable => "unavailable",
        }
    }

    /// Whether it shows that the rung is not earned here, rather than leaving it open.
    pub fn is_proof(self) -> bool {
        match self {
            Self::Escaped
            | Self::Residue
            | Self::Broken
            | Self::Unprotected
            | Self::NoMechanism => true,
            Self::Inconclusive
            | Self::NothingHeld
            | Self::NothingPlanned
            | Self::Filtered
            | Self::Unavailable => false,
        }
    }
}
