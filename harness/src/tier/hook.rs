//! What the Python audit hook changes: a difference to report, never a base for a tier.

use reports::record::{Doubt, Outcome, UsefulOutcome};
use reports::verdict::{HookDifference, JudgedCell, JudgedUse};
use std::collections::BTreeMap;

/// Compares each escape and each piece of useful work with the hook on and off.
pub fn hook_difference(cells: &[JudgedCell], useful: &[JudgedUse]) -> HookDifference {
    let mut difference = HookDifference::default();
    for (escape, (off, on)) in pairs(
        cells.iter().map(|cell| (cell.hook, (cell.escape.as_str(), cell.runtime), &cell.outcome)),
    ) {
        match (got_out(off), got_out(on)) {
            (Some(true), Some(false)) => difference.hook_only.insert(escape.0.to_owned()),
            (Some(true), Some(true)) => difference.hook_blind.insert(escape.0.to_owned()),
            (Some(false) | None, Some(_) | None) | (Some(true), None) => false,
        };
        if broke_the_twin(on) && !broke_the_twin(off) {
            difference.broke_the_twin.insert(escape.0.to_owned());
        }
    }
    for (case, (off, on)) in pairs(
        useful.iter().map(|case| (case.hook, (case.case.as_str(), case.runtime), &case.outcome)),
    ) {
        if *off == UsefulOutcome::Works && matches!(on, UsefulOutcome::Broken { .. }) {
            difference.broke_useful_work.insert(case.0.to_owned());
        }
    }
    difference
}

/// What was done both ways: with the hook off, and on.
fn pairs<Key: Ord, Outcome>(
    outcomes: impl Iterator<Item = (bool, Key, Outcome)>,
) -> Vec<(Key, (Outcome, Outcome))> {
    let mut sides: BTreeMap<Key, (Option<Outcome>, Option<Outcome>)> = BTreeMap::new();
    for (hook, key, outcome) in outcomes {
        let both = sides.entry(key).or_default();
        *(if hook { &mut both.1 } else { &mut both.0 }) = Some(outcome);
    }
    sides.into_iter().filter_map(|(key, (off, on))| Some((key, (off?, on?)))).collect()
}

/// Whether an effect was seen, if the trial says so at all.
fn got_out(outcome: &Outcome) -> Option<bool> {
    match outcome {
        Outcome::Escaped { .. } | Outcome::Residue { .. } => Some(true),
        Outcome::Held { .. } | Outcome::Stale { .. } => Some(false),
        Outcome::NotApplicable { .. } | Outcome::Inconclusive { .. } => None,
    }
}

fn broke_the_twin(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Inconclusive { why: Doubt::TwinBefore | Doubt::TwinAfter })
}

#[cfg(test)]
mod tests {
    use super::super::sample::{case, cell, doubt, escaped, held, residue, stale};
    use super::*;
    use reports::record::{Flaw, Runtime};

    #[test]
    fn the_hook_is_told_by_what_it_changes() {
        let both = |escape, off, on| {
            [(false, off), (true, on)]
                .map(|(hook, outcome)| cell(escape, Runtime::Python, hook, outcome))
        };
        let cells: Vec<JudgedCell> = [
            both("only/escape", escaped(), held()),
            both("only/residue", residue(), stale()),
            both("blind/escape", escaped(), residue()),
            both("twin/before", held(), doubt(Doubt::TwinBefore)),
            both("twin/after", escaped(), doubt(Doubt::TwinAfter)),
            both("same/held", held(), held()),
            both("same/twin", doubt(Doubt::TwinAfter), doubt(Doubt::TwinAfter)),
            both("same/doubt", escaped(), doubt(Doubt::TimedOut)),
        ]
        .into_iter()
        .flatten()
        .chain([cell("alone/off", Runtime::Python, false, escaped())])
        .collect();
        let broken = UsefulOutcome::Broken { why: Flaw::Failed };
        let mut useful = vec![
            case(Runtime::Python, false, UsefulOutcome::Works),
            case(Runtime::Python, true, broken.clone()),
        ];
        useful.extend([false, true].map(|hook| JudgedUse {
            case: "broken anyhow".to_owned(),
            ..case(Runtime::Python, hook, broken.clone())
        }));
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(
            hook_difference(&cells, &useful),
            HookDifference {
                hook_only: names(&["only/escape", "only/residue"]),
                hook_blind: names(&["blind/escape"]),
                broke_the_twin: names(&["twin/before", "twin/after"]),
                broke_useful_work: names(&["files"]),
            }
        );
    }
}
