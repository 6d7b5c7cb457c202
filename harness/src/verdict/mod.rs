//! From records to the verdict, and back: what is written down must follow from the records beside
//! it. Both directions use the same pure code.

mod depth;
mod difference;
mod gather;
mod promises;
mod verify;

pub use gather::ConcludeError;
pub use verify::{RECORDS, VERDICT, VerifyError, verify};

use crate::judge::{escaped, judge};
use crate::tier::{Rung, hook_difference, tier};
use crate::useful_judge::judge_useful;
use gather::Run;
use promises::promises;
use reports::record::{
    BackendFacts, Bar, Doubt, Flaw, Outcome, PlannedCell, Record, UsefulCell, UsefulOutcome,
};
use reports::verdict::{
    BackendVerdict, Counts, Digests, JudgedCell, JudgedUse, KeptLimits, LIMITS, Residue, SCHEMA,
    Verdict, host_digest,
};

/// Why something that the rung allows is residue although its backend declares no gap.
const ALLOWED: &str = "S1 allows it";

/// Draws the verdict from records alone. Their order does not matter.
///
/// A planned cell without records is inconclusive. Records that do not fit together, such as two for
/// one cell or one for none, give no verdict at all.
///
/// # Errors
/// The first thing that does not fit.
pub fn conclude(records: &[Record]) -> Result<Verdict, ConcludeError> {
    let run = Run::gather(records)?;
    let backends: Vec<BackendVerdict> =
        run.backends.values().map(|backend| conclude_backend(&run, backend)).collect();
    Ok(Verdict {
        schema: SCHEMA,
        host: run.host.clone(),
        digests: Digests {
            catalogue: run.plan.catalogue.clone(),
            host: host_digest(run.host),
            program: run.plan.program.clone(),
        },
        runtimes: run.plan.runtimes.clone(),
        filtered: run.plan.filtered,
        depth: depth::depth(&run, &backends),
        backends,
        limits: LIMITS,
    })
}

fn conclude_backend(run: &Run<'_>, backend: &BackendFacts) -> BackendVerdict {
    let cells: Vec<JudgedCell> = run
        .cells
        .values()
        .filter(|planned| planned.cell.backend == backend.name)
        .map(|planned| judged_cell(run, planned))
        .collect();
    let useful: Vec<JudgedUse> = run
        .useful_cells
        .iter()
        .filter(|cell| cell.backend == backend.name)
        .map(|cell| judged_use(run, cell))
        .collect();
    let Rung { tier, reasons } = tier(backend, run.plan, &cells, &useful);
    let with_hook = |hook| cells.iter().filter(move |cell| cell.hook == hook);
    let counts = |hook| {
        let counted = with_hook(hook).filter(|cell| cell.bar != Bar::Limit);
        Counts::of(counted.map(|cell| &cell.outcome))
    };
    BackendVerdict {
        name: backend.name.clone(),
        available: backend.unavailable.is_none(),
        tier,
        mechanism: backend.mechanism.clone(),
        protections: promises(&backend.support),
        policy: backend.commitment.clone(),
        artefact: backend.artefact.clone(),
        counts: counts(false),
        counts_with_hook: counts(true),
        kept_limits: KeptLimits::of(backend.keeps_limits, &cells),
        residue: with_hook(false).filter_map(residue).collect(),
        stands_in_the_way: reasons.into_iter().collect(),
        hook: hook_difference(&cells, &useful),
        cells,
        useful,
    }
}

fn judged_cell(run: &Run<'_>, planned: &PlannedCell) -> JudgedCell {
    let cell = &planned.cell;
    JudgedCell {
        escape: cell.escape.clone(),
        runtime: cell.runtime,
        hook: cell.hook,
        bar: planned.bar,
        outcome: outcome(run, planned),
    }
}

/// The outcome of a planned cell from what was recorded of it. Half a trial can only show an escape.
fn outcome(run: &Run<'_>, planned: &PlannedCell) -> Outcome {
    if let Some(evidence) = &planned.absent {
        return Outcome::NotApplicable { evidence: evidence.clone() };
    }
    let cell = &planned.cell;
    let no_record = Outcome::Inconclusive { why: Doubt::NoRecord };
    match (run.controls.get(&(cell.escape.as_str(), cell.runtime)), run.attempts.get(cell)) {
        (Some(control), Some(attempt)) => judge(&attempt.terms, control, &attempt.arm),
        (None, Some(attempt)) => escaped(&attempt.terms, &attempt.arm).unwrap_or(no_record),
        (Some(_) | None, None) => no_record,
    }
}

fn judged_use(run: &Run<'_>, cell: &UsefulCell) -> JudgedUse {
    let outcome = match run.useful.get(cell) {
        Some(useful) => judge_useful(&useful.control, &useful.confined),
        None => UsefulOutcome::Inconclusive { why: Flaw::NoRecord },
    };
    JudgedUse { case: cell.case.clone(), runtime: cell.runtime, hook: cell.hook, outcome }
}

fn residue(cell: &JudgedCell) -> Option<Residue> {
    let reason = match &cell.outcome {
        Outcome::Residue { reason, .. } => reason.clone(),
        Outcome::Escaped { .. } if cell.bar == Bar::Residue => ALLOWED.to_owned(),
        Outcome::Escaped { .. }
        | Outcome::Held { .. }
        | Outcome::Stale { .. }
        | Outcome::NotApplicable { .. }
        | Outcome::Inconclusive { .. } => return None,
    };
    Some(Residue { escape: cell.escape.clone(), runtime: cell.runtime, reason })
}

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
