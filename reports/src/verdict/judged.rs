//! Judged cells and judged useful work, and their counts.

use crate::record::{Bar, Doubt, Flaw, Outcome, Runtime, UsefulOutcome};
use serde::Serialize;

/// One planned cell of a backend, judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedCell {
    /// The escape's id.
    pub escape: String,
    /// The runtime that carried it.
    pub runtime: Runtime,
    /// Whether the Python audit hook was on.
    pub hook: bool,
    /// What holding it is worth.
    pub bar: Bar,
    /// What the trial showed.
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl JudgedCell {
    /// The escape's family.
    pub fn family(&self) -> &str {
        self.escape.split_once('/').map_or(self.escape.as_str(), |(family, _)| family)
    }

    /// Whether nothing was recorded of it.
    pub fn is_unrecorded(&self) -> bool {
        self.outcome == Outcome::Inconclusive { why: Doubt::NoRecord }
    }
}

/// One planned piece of useful work, judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedUse {
    /// The case's id.
    pub case: String,
    /// The runtime that carried it.
    pub runtime: Runtime,
    /// Whether the Python audit hook was on.
    pub hook: bool,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: UsefulOutcome,
}

impl JudgedUse {
    /// Whether nothing was recorded of it.
    pub fn is_unrecorded(&self) -> bool {
        self.outcome == UsefulOutcome::Inconclusive { why: Flaw::NoRecord }
    }
}

/// How many cells had which outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Stopped without doubt.
    pub held: u32,
    /// Got out.
    pub escaped: u32,
    /// Got out through a declared gap.
    pub residue: u32,
    /// Stopped although the backend declares a gap.
    pub stale: u32,
    /// Absent on this host.
    pub not_applicable: u32,
    /// Proves nothing.
    pub inconclusive: u32,
}

impl Counts {
    /// Counts outcomes.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut counts = Self::default();
        for outcome in outcomes {
            *match outcome {
                Outcome::Held { .. } => &mut counts.held,
                Outcome::Escaped { .. } => &mut counts.escaped,
                Outcome::Residue { .. } => &mut counts.residue,
                Outcome::Stale { .. } => &mut counts.stale,
                Outcome::NotApplicable { .. } => &mut counts.not_applicable,
                Outcome::Inconclusive { .. } => &mut counts.inconclusive,
            } += 1;
        }
        counts
    }

    /// The counts with the words of reports, in the order of reports.
    pub fn named(self) -> [(&'static str, u32); 6] {
        [
            ("held", self.held),
            ("escaped", self.escaped),
            ("residue", self.residue),
            ("stale", self.stale),
            ("not-applicable", self.not_applicable),
            ("inconclusive", self.inconclusive),
        ]
    }
}
