//! The rung that a backend earned, and what the Python hook changes. Both are pure functions of
//! judged cells.

mod hook;

pub use hook::hook_difference;

use backends::tier::Tier;
use reports::record::{BackendFacts, Bar, Outcome, Plan, Runtime, UsefulOutcome};
use reports::verdict::{JudgedCell, JudgedUse, Obstacle, Why};
use std::collections::BTreeSet;

/// The families without which a rung would mean nothing, whatever carries the escape.
const CORE: [&str; 5] = ["exec", "fs-read", "fs-write", "network", "plant"];

/// The family that is core too where it can be carried: some of its acts exist for one runtime only.
const NATIVE_CODE: &str = "native-code";

/// What stands for all useful work when none was planned.
const USEFUL_WORK: &str = "useful-work";

/// What a backend earned on this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The rung; none if the backend was not judged.
    pub tier: Option<Tier>,
    /// What stands in the way of more, sorted and without repetition. Empty for S1.
    pub reasons: BTreeSet<Obstacle>,
}

/// Decides the rung of one backend from its judged cells and useful work.
///
/// S1 is earned if and only if nothing stands in the way with the hook **off**: every S1 escape was
/// stopped or is absent, all useful work that this host has works, every planned cell has its record, every protection
/// that the backend claims was seen, and in every core family of every runtime that was asked for at
/// least one escape was really stopped. A filtered run earns no rung.
pub fn tier(
    backend: &BackendFacts,
    plan: &Plan,
    cells: &[JudgedCell],
    useful: &[JudgedUse],
) -> Rung {
    let only =
        |tier, why| Rung { tier, reasons: BTreeSet::from([about(&backend.name, None, why)]) };
    if backend.unavailable.is_some() {
        return only(None, Why::Unavailable);
    }
    if plan.filtered {
        return only(None, Why::Filtered);
    }
    if backend.mechanism.is_none() {
        return only(Some(Tier::S0), Why::NoMechanism);
    }
    let mut reasons: BTreeSet<Obstacle> = cells.iter().filter_map(cell_obstacle).collect();
    reasons.extend(useful.iter().filter_map(useful_obstacle));
    reasons.extend(
        backend
            .support
            .missing()
            .map(|(protection, _why)| about(protection.name(), None, Why::Unprotected)),
    );
    reasons.extend(vacuous(backend, &plan.runtimes, cells, useful));
    let tier = if reasons.is_empty() { Tier::S1 } else { Tier::S0 };
    Rung { tier: Some(tier), reasons }
}

fn about(subject: &str, runtime: Option<Runtime>, why: Why) -> Obstacle {
    Obstacle { subject: subject.to_owned(), runtime, why }
}

/// Whether a cell stands in the way. A stale gap does not: the act was stopped.
fn cell_obstacle(cell: &JudgedCell) -> Option<Obstacle> {
    let counts = cell.bar == Bar::S1 && !cell.hook;
    let why = match &cell.outcome {
        Outcome::Held { .. } | Outcome::Stale { .. } | Outcome::NotApplicable { .. } => None,
        Outcome::Escaped { .. } => counts.then_some(Why::Escaped),
        Outcome::Residue { .. } => counts.then_some(Why::Residue),
        Outcome::Inconclusive { .. } => {
            (counts || cell.is_unrecorded()).then_some(Why::Inconclusive)
        }
    };
    why.map(|why| about(&cell.escape, Some(cell.runtime), why))
}

fn useful_obstacle(case: &JudgedUse) -> Option<Obstacle> {
    let why = match case.outcome {
        UsefulOutcome::Works | UsefulOutcome::NotApplicable { .. } => None,
        UsefulOutcome::Broken { .. } => (!case.hook).then_some(Why::Broken),
        UsefulOutcome::Inconclusive { .. } => {
            (!case.hook || case.is_unrecorded()).then_some(Why::Inconclusive)
        }
    };
    why.map(|why| about(&case.case, Some(case.runtime), why))
}

/// What was not tried, or was tried and never stopped, so that a green column would be empty.
fn vacuous(
    backend: &BackendFacts,
    runtimes: &BTreeSet<Runtime>,
    cells: &[JudgedCell],
    useful: &[JudgedUse],
) -> Vec<Obstacle> {
    let mut reasons = Vec::new();
    if runtimes.is_empty() {
        reasons.push(about(&backend.name, None, Why::NothingPlanned));
    }
    for runtime in runtimes {
        for family in CORE {
            reasons.extend(empty_family(family, *runtime, cells));
        }
        let applies = |case: &JudgedUse| {
            let absent = matches!(case.outcome, UsefulOutcome::NotApplicable { .. });
            case.runtime == *runtime && !case.hook && !absent
        };
        if !useful.iter().any(applies) {
            reasons.push(about(USEFUL_WORK, Some(*runtime), Why::NothingPlanned));
        }
    }
    let native_code: Vec<Obstacle> =
        runtimes.iter().filter_map(|runtime| empty_family(NATIVE_CODE, *runtime, cells)).collect();
    let unplanned = |reason: &Obstacle| reason.why == Why::NothingPlanned;
    if native_code.len() == runtimes.len() && native_code.iter().all(unplanned) {
        reasons.push(about(NATIVE_CODE, None, Why::NothingPlanned));
    }
    reasons.extend(native_code.into_iter().filter(|reason| !unplanned(reason)));
    reasons
}

/// Why a family says nothing of a runtime, if it does not.
fn empty_family(family: &str, runtime: Runtime, cells: &[JudgedCell]) -> Option<Obstacle> {
    let mut planned = false;
    for cell in cells {
        if cell.hook || cell.bar != Bar::S1 || cell.runtime != runtime || cell.family() != family {
            continue;
        }
        planned = true;
        match cell.outcome {
            Outcome::Held { .. } | Outcome::Stale { .. } => return None,
            Outcome::Escaped { .. }
            | Outcome::Residue { .. }
            | Outcome::NotApplicable { .. }
            | Outcome::Inconclusive { .. } => {}
        }
    }
    let why = if planned { Why::NothingHeld } else { Why::NothingPlanned };
    Some(about(family, Some(runtime), why))
}

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
