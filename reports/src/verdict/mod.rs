//! The verdict: what a run concludes, without anything that may differ between two runs of the same
//! facts. It is made by `harness` from records alone, and here it gets its one byte form.

mod judged;
mod limits;
mod obstacle;

pub use judged::{Counts, JudgedCell, JudgedUse};
pub use limits::KeptLimits;
pub use obstacle::{Obstacle, Why};

use crate::record::{HostFacts, Runtime};
use backends::protection::Protection;
use backends::tier::Tier;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// The name of this form.
pub const SCHEMA: &str = "escapology/verdict/v1";

/// What no verdict can say, so that it stands in each.
pub const LIMITS: &str = "This verdict follows from the records beside it and is worth what they \
    are: it says what these escapes did against this policy on this host, not that no other escape \
    exists. A program that acts honestly only without a sandbox is not caught.";

/// What a run concludes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The host that it speaks of.
    pub host: HostFacts,
    /// What it is bound to, besides the digests of each backend.
    pub digests: Digests,
    /// The runtimes that were asked for.
    pub runtimes: BTreeSet<Runtime>,
    /// Whether a filter left cells out. No backend is judged then.
    pub filtered: bool,
    /// The backends by name.
    pub backends: Vec<BackendVerdict>,
    /// Which layers stop an escape alone, where backends that are one layer were among them.
    pub depth: Vec<Depth>,
    /// [`LIMITS`].
    pub limits: &'static str,
}

impl Verdict {
    /// The canonical bytes: JSON with sorted keys, no white space, integers and strings only
    /// (RFC 8785 on that subset). Equal verdicts have equal bytes and different ones do not.
    pub fn canonical(&self) -> Vec<u8> {
        canonical(self)
    }
}

/// The digests of the things that all backends share, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Digests {
    /// The catalogue of escapes and useful work.
    pub catalogue: String,
    /// The canonical bytes of the host facts.
    pub host: String,
    /// The program under test.
    pub program: String,
}

/// The digest of a host: SHA-256, in hexadecimal, over the canonical bytes of its facts.
pub fn host_digest(host: &HostFacts) -> String {
    hex::encode(Sha256::digest(canonical(host)))
}

/// `serde_json` sorts keys by bytes and escapes as RFC 8785 says; for names in ASCII and numbers
/// that are small integers this is the whole of it. The types here have no other keys and numbers.
fn canonical(value: &impl Serialize) -> Vec<u8> {
    serde_json::json!(value).to_string().into_bytes()
}

/// What is concluded of one backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BackendVerdict {
    /// Its name.
    pub name: String,
    /// Whether it could be used on this host.
    pub available: bool,
    /// The rung that it earned here; none if it was not judged.
    pub tier: Option<Tier>,
    /// Its mechanism, if it claims one.
    pub mechanism: Option<String>,
    /// What it claims, and whether that was seen.
    pub protections: Vec<Promise>,
    /// The commitment to the policy that it applied, if its confinement is one.
    pub policy: Option<String>,
    /// The digest of everything that the kernel was told, in hexadecimal.
    pub artefact: Option<String>,
    /// How many cells had which outcome with the hook off, which is what the tier is made of. Those
    /// that try limits are counted apart.
    pub counts: Counts,
    /// The same with the hook on.
    pub counts_with_hook: Counts,
    /// What became of the limits, apart from the tier.
    pub kept_limits: KeptLimits,
    /// What got out and is allowed to, as the backend or the rung says, with the hook off.
    pub residue: Vec<Residue>,
    /// Why it did not earn more, sorted by subject.
    pub stands_in_the_way: Vec<Obstacle>,
    /// Every planned cell, sorted.
    pub cells: Vec<JudgedCell>,
    /// Every planned piece of useful work, sorted.
    pub useful: Vec<JudgedUse>,
    /// What the Python audit hook changes.
    pub hook: HookDifference,
}

/// Which layers stop an escape alone: where it is a single one, one bug suffices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Depth {
    /// The escape's id.
    pub escape: String,
    /// The runtime that carried it.
    pub runtime: Runtime,
    /// The layers that held it by themselves.
    pub stopped_by: BTreeSet<String>,
    /// The layers that let it through.
    pub passes: BTreeSet<String>,
    /// The layers of which nothing was shown.
    pub unclear: BTreeSet<String>,
}

/// A protection that a backend claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Promise {
    /// Which.
    pub protection: Protection,
    /// Whether its denial was seen on this host.
    pub active: bool,
}

/// Something that got out and is allowed to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Residue {
    /// The escape's id.
    pub escape: String,
    /// The runtime that carried it.
    pub runtime: Runtime,
    /// The reason, as the backend declares it or as the rung allows it.
    pub reason: String,
}

/// What the Python audit hook changes under one backend: a difference to report, never a base for a
/// tier.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HookDifference {
    /// The escapes that only the hook stops.
    pub hook_only: BTreeSet<String>,
    /// The escapes that get out in spite of the hook.
    pub hook_blind: BTreeSet<String>,
    /// The escapes whose permitted neighbour the hook breaks.
    pub broke_the_twin: BTreeSet<String>,
    /// The pieces of useful work that the hook breaks.
    pub broke_useful_work: BTreeSet<String>,
}

#[cfg(test)]
mod tests;
