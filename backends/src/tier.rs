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

/// A demand that nobody understands. It is not met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{variable} is {value:?}: it can be {known}")]
pub struct UnknownDemand {
    variable: &'static str,
    value: std::ffi::OsString,
    known: &'static str,
}

/// Whether the environment demands that this host earns S1: `ESCAPOLOGY_EXPECT` (`S1`, or unset) or
/// `SANDBOX_EXEC_OS_EXPECT_S1` (`1`, or unset).
///
/// # Errors
/// When a variable holds anything else.
pub fn demanded() -> Result<bool, UnknownDemand> {
    let mut demanded = false;
    for (variable, known) in [("ESCAPOLOGY_EXPECT", "S1"), ("SANDBOX_EXEC_OS_EXPECT_S1", "1")] {
        match std::env::var_os(variable) {
            None => {}
            Some(value) if value == known => demanded = true,
            Some(value) => return Err(UnknownDemand { variable, value, known }),
        }
    }
    Ok(demanded)
}
