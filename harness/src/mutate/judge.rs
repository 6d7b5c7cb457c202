//! What became of a mutant: a pure function of what was seen.

use backends::mutant::Aim;
use reports::mutation::Fate;
use reports::record::{Outcome, UsefulOutcome};
use std::collections::BTreeSet;

/// An escape against a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The escape.
    pub escape: String,
    /// Whether it names the rule that was touched among those which it witnesses.
    pub witnesses: bool,
    /// The other rules that were dropped, with and without the mutation.
    pub behind: BTreeSet<String>,
    /// The outcome without the mutation; its control is part of it.
    pub without: Outcome,
    /// The outcome with it.
    pub with: Outcome,
}

/// Useful work under a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worked {
    /// The work.
    pub case: String,
    /// The outcome without the mutation.
    pub without: UsefulOutcome,
    /// The outcome with it.
    pub with: UsefulOutcome,
}

/// Everything that was seen of a mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Whether the kernel is told the same with it.
    pub equivalent: bool,
    /// The escapes.
    pub tried: Vec<Tried>,
    /// The useful work.
    pub worked: Vec<Worked>,
}

impl Tried {
    /// Whether the mutation, and nothing else, let this escape out.
    pub fn got_out(&self) -> bool {
        self.witnesses
            && matches!(self.without, Outcome::Held { .. })
            && matches!(self.with, Outcome::Escaped { .. })
    }
}

impl Worked {
    /// Whether the mutation, and nothing else, broke this work. Work that did not start proves nothing.
    pub fn broke(&self) -> bool {
        self.without == UsefulOutcome::Works && matches!(self.with, UsefulOutcome::Broken { .. })
    }
}

/// Judges a mutant. A weaker one must let an escape out that witnesses its rule; a stricter or an
/// untrue one must break useful work. `reason` is why it is right that nobody notices.
pub fn fate(aim: Aim, seen: &Seen, reason: Option<&str>) -> Fate {
    if seen.equivalent {
        return Fate::Equivalent;
    }
    let noticed = match aim {
        Aim::Weaker => noticed_by_escapes(&seen.tried),
        Aim::Untrue | Aim::Stricter => {
            let broken = seen.worked.iter().find(|worked| worked.broke());
            broken.map(|worked| Fate::Killed { by: worked.case.clone() })
        }
    };
    noticed
        .or_else(|| absence(&seen.tried))
        .or_else(|| reason.map(|reason| Fate::Justified { reason: reason.to_owned() }))
        .unwrap_or(Fate::Survived)
}

/// Killed by the first that got out with nothing else dropped; else masked by the first that did with.
fn noticed_by_escapes(tried: &[Tried]) -> Option<Fate> {
    let alone = tried.iter().find(|tried| tried.behind.is_empty() && tried.got_out());
    if let Some(tried) = alone {
        return Some(Fate::Killed { by: tried.escape.clone() });
    }
    let behind = tried.iter().find(|tried| tried.got_out())?;
    Some(Fate::Masked { by: behind.escape.clone(), behind: behind.behind.clone() })
}

/// The evidence that this host has none of the surfaces on which the rule is witnessed.
fn absence(tried: &[Tried]) -> Option<Fate> {
    let mut evidence = None;
    for tried in tried {
        match &tried.without {
            Outcome::NotApplicable { evidence: text } => evidence = Some(text.clone()),
            Outcome::Held { .. }
            | Outcome::Escaped { .. }
            | Outcome::Residue { .. }
            | Outcome::Stale { .. }
            | Outcome::Inconclusive { .. } => return None,
        }
    }
    evidence.map(|evidence| Fate::Absent { evidence })
}

#[cfg(test)]
mod tests;
