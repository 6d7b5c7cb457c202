//! What a mutation gate showed: one row a mutant, with the trials that decided it. Plain data; the
//! files beside it write it down.

pub mod junit;
pub mod page;
pub mod terminal;

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A whole run of the gate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    /// The kernel and the processor, on which the list of mutants depends.
    pub host: String,
    /// Which part of the mutants this is, if not all.
    pub part: Option<String>,
    /// One row a mutant.
    pub rows: Vec<Row>,
    /// Escapes that killed nothing, with the reason why they stay, or none.
    pub idle: BTreeMap<String, Option<String>>,
    /// Escapes that could not serve, with what became of them unmutated.
    pub unusable: BTreeMap<String, String>,
    /// Justifications that justify nothing: their mutant is killed, masked, or not there.
    pub stale: BTreeSet<String>,
}

/// One mutant and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The rule that it touches.
    pub rule: String,
    /// What it does to the rule.
    pub change: String,
    /// What became of it.
    pub fate: Fate,
    /// The trials, in their order.
    pub trials: Vec<Trial>,
}

/// One trial of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// The escape or the useful work.
    pub by: String,
    /// The other rules that were dropped for it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub behind: BTreeSet<String>,
    /// The outcome without the mutation.
    pub without: String,
    /// The outcome with it.
    pub with: String,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fate {
    /// An escape got out that was held without it, or useful work broke that worked.
    Killed {
        /// By which.
        by: String,
    },
    /// Other rules hold as well: with those dropped it is killed. Redundant by design.
    Masked {
        /// By which escape it is killed then.
        by: String,
        /// The rules that stand before it.
        behind: BTreeSet<String>,
    },
    /// The kernel is told the same.
    Equivalent,
    /// This host has nothing that the rule denies.
    Absent {
        /// The evidence.
        evidence: String,
    },
    /// Nobody noticed, and the table of justified mutants says why that is right.
    Justified {
        /// The reason.
        reason: String,
    },
    /// Nobody noticed.
    Survived,
}

impl Fate {
    /// The words for the fates, in the order of reports.
    pub const NAMES: [&str; 6] =
        ["killed", "masked", "equivalent", "absent", "justified", "survived"];

    /// The word used in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Killed { .. } => "killed",
            Self::Masked { .. } => "masked",
            Self::Equivalent => "equivalent",
            Self::Absent { .. } => "absent",
            Self::Justified { .. } => "justified",
            Self::Survived => "survived",
        }
    }
}

impl Row {
    /// Its name: the rule and the change.
    pub fn id(&self) -> String {
        format!("{} {}", self.rule, self.change)
    }
}

impl Matrix {
    /// The matrix as JSON, one row a line, so that two of them can be compared.
    ///
    /// # Errors
    /// When a value cannot be written, which none of these does.
    pub fn json(&self) -> serde_json::Result<String> {
        let rows: Result<Vec<String>, _> = self.rows.iter().map(serde_json::to_string).collect();
        let rest = serde_json::to_string(&Self { rows: Vec::new(), ..self.clone() })?;
        Ok(rest.replacen("\"rows\":[]", &format!("\"rows\":[\n{}\n]", rows?.join(",\n")), 1) + "\n")
    }

    /// How many mutants had a fate, by its name.
    pub fn count(&self, name: &str) -> usize {
        self.rows.iter().filter(|row| row.fate.name() == name).count()
    }

    /// Escapes that killed nothing and have no reason to stay.
    pub fn unexplained(&self) -> impl Iterator<Item = &str> {
        self.idle.iter().filter(|(_, reason)| reason.is_none()).map(|(escape, _)| escape.as_str())
    }

    /// How the run ends: a survivor, an idle escape or a stale reason fails it; where instruments are
    /// broken, or nothing at all was killed, nothing is shown.
    pub fn exit(&self) -> crate::exit::Exit {
        use crate::exit::Exit;
        let failed = self.count("survived") > 0 || self.unexplained().next().is_some();
        if failed || !self.stale.is_empty() {
            Exit::NotEarned
        } else if !self.unusable.is_empty() || self.count("killed") == 0 {
            Exit::Inconclusive
        } else {
            Exit::Earned
        }
    }
}

#[cfg(test)]
mod tests;
