//! The isolation ladder. A rung is earned on each host, by probe, never assumed.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A rung of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Tier {
    /// Bare: a child process without a mechanism.
    S0,
    /// Capability: no resource is reachable without a grant. The residue is stated in `docs/ladder.md`.
    S1,
    /// Managed runtime: metered and capped. Named here, not built yet, earned by nobody.
    S2,
}

impl fmt::Display for Tier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::S0 => "S0",
            Self::S1 => "S1",
            Self::S2 => "S2",
        })
    }
}

/// A text that names no rung.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown tier {0:?}: the tiers are S0 and S1")]
pub struct UnknownTier(String);

impl FromStr for Tier {
    type Err = UnknownTier;

    /// Reads a rung that can be earned: `S0` or `S1`, exactly.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "S0" => Ok(Self::S0),
            "S1" => Ok(Self::S1),
            _ => Err(UnknownTier(text.to_owned())),
        }
    }
}
