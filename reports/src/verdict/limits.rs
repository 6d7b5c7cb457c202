//! What became of the limits under one backend. They are reported apart from the tier: no rung rests
//! on them, but a backend that promises to keep them fails where one does not hold.

use super::{Counts, JudgedCell};
use crate::record::{Bar, Outcome};
use serde::Serialize;
use std::collections::BTreeSet;

/// The limits of one backend, with the hook off.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KeptLimits {
    /// Whether the backend promises to keep the limits of the policy.
    pub promised: bool,
    /// How many cells had which outcome.
    pub counts: Counts,
    /// The escapes that exceeded a limit, each with its runtime.
    pub exceeded: BTreeSet<String>,
    /// The escapes that prove nothing either way, each with its runtime.
    pub inconclusive: BTreeSet<String>,
}

impl KeptLimits {
    /// What the judged cells of a backend say of its limits.
    pub fn of(promised: bool, cells: &[JudgedCell]) -> Self {
        let cells = || cells.iter().filter(|cell| cell.bar == Bar::Limit && !cell.hook);
        let named = |is_so: fn(&Outcome) -> bool| {
            cells()
                .filter(|cell| is_so(&cell.outcome))
                .map(|cell| format!("{} ({})", cell.escape, cell.runtime.name()))
                .collect()
        };
        Self {
            promised,
            counts: Counts::of(cells().map(|cell| &cell.outcome)),
            exceeded: named(|outcome| matches!(outcome, Outcome::Escaped { .. })),
            inconclusive: named(|outcome| matches!(outcome, Outcome::Inconclusive { .. })),
        }
    }
}
