//! The words that belong to a conclusion. A verdict holds kinds only; what a person wants to read
//! stands in the records, and some of it was written by a confined program, so all of it is made
//! harmless here.

use crate::record::{
    Answer, Arm, Attempt, BackendFacts, Cell, EffectKind, Finish, Outcome, Record, Runtime, Start,
    Twin, Useful, UsefulCell, UsefulRun,
};
use crate::text;
use crate::verdict::{JudgedCell, JudgedUse};
use std::collections::{BTreeMap, BTreeSet};

/// How many effects and findings of one arm are told.
const MOST: usize = 8;

/// The records of a run, found by what they speak of.
#[derive(Clone, Debug, Default)]
pub struct Details<'a> {
    backends: BTreeMap<&'a str, &'a BackendFacts>,
    controls: BTreeMap<(&'a str, Runtime), &'a Arm>,
    attempts: BTreeMap<&'a Cell, &'a Attempt>,
    useful: BTreeMap<&'a UsefulCell, &'a Useful>,
}

impl<'a> Details<'a> {
    /// Finds the details in the records of a run.
    pub fn of(records: &'a [Record]) -> Self {
        let mut details = Self::default();
        for record in records {
            match record {
                Record::Host(_) | Record::Plan(_) => {}
                Record::Backend(facts) => {
                    details.backends.insert(&facts.name, facts);
                }
                Record::Control(control) => {
                    details.controls.insert((&control.escape, control.runtime), &control.arm);
                }
                Record::Attempt(attempt) => {
                    details.attempts.insert(&attempt.cell, attempt);
                }
                Record::Useful(useful) => {
                    details.useful.insert(&useful.cell, useful);
                }
            }
        }
        details
    }

    /// The warning of a backend, if it has one.
    pub fn warning(&self, backend: &str) -> Option<String> {
        self.backends.get(backend)?.warning.as_deref().map(text::line)
    }

    /// Why a backend cannot be used on this host, if it cannot.
    pub fn unavailable(&self, backend: &str) -> Option<String> {
        self.backends.get(backend)?.unavailable.as_deref().map(text::line)
    }

    /// The protections that a backend claims and that were not seen, each with the reason.
    pub fn missing(&self, backend: &str) -> Vec<String> {
        let missing = self.backends.get(backend).map(|facts| facts.support.missing());
        missing
            .into_iter()
            .flatten()
            .map(|(protection, why)| format!("{protection}: {}", text::line(why)))
            .collect()
    }

    /// What the records say of a cell, a line each. The control is told where the doubt may lie
    /// with it.
    pub fn cell(&self, backend: &str, judged: &JudgedCell) -> Vec<String> {
        let cell = Cell {
            backend: backend.to_owned(),
            runtime: judged.runtime,
            hook: judged.hook,
            escape: judged.escape.clone(),
        };
        let mut lines = Vec::new();
        if let Some(attempt) = self.attempts.get(&cell) {
            lines.extend(arm_lines(&attempt.arm));
        }
        if matches!(judged.outcome, Outcome::Inconclusive { .. })
            && let Some(control) = self.controls.get(&(judged.escape.as_str(), judged.runtime))
        {
            lines.extend(arm_lines(control).into_iter().map(|line| format!("control: {line}")));
        }
        lines
    }

    /// What the records say of a piece of useful work, a line each.
    pub fn useful(&self, backend: &str, judged: &JudgedUse) -> Vec<String> {
        let cell = UsefulCell {
            backend: backend.to_owned(),
            runtime: judged.runtime,
            hook: judged.hook,
            case: judged.case.clone(),
        };
        let Some(useful) = self.useful.get(&cell) else { return Vec::new() };
        vec![
            format!("confined: {}", useful_line(&useful.confined)),
            format!("control: {}", useful_line(&useful.control)),
        ]
    }
}

/// How a conclusion is told in one line: its word, and the kinds that it rests on.
pub fn headline(outcome: &Outcome) -> String {
    let name = outcome.name();
    let kinds = |evidence: &BTreeSet<EffectKind>| {
        evidence.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
    };
    match outcome {
        Outcome::Held { by } => format!("{name} by {}", text::line(by)),
        Outcome::Escaped { evidence } => format!("{name}: {}", kinds(evidence)),
        Outcome::Residue { reason, evidence } => {
            format!("{name} ({}): {}", kinds(evidence), text::line(reason))
        }
        Outcome::Stale { reason } => format!("{name}: {}", text::line(reason)),
        Outcome::NotApplicable { evidence } => format!("{name}: {}", text::line(evidence)),
        Outcome::Inconclusive { why } => format!("{name}: {}", why.name()),
    }
}

fn arm_lines(arm: &Arm) -> Vec<String> {
    if let Start::Refused(why) = &arm.start {
        return vec![format!("not started: {}", text::line(why))];
    }
    let mut lines = Vec::new();
    for effect in arm.effects.iter().take(MOST) {
        lines.push(format!("{}: {}", effect.kind.name(), text::line(&effect.detail)));
    }
    for finding in arm.findings.iter().take(MOST) {
        lines.push(format!("swept: {}", text::line(finding)));
    }
    let untold = arm.effects.len().saturating_sub(MOST) + arm.findings.len().saturating_sub(MOST);
    if untold > 0 {
        lines.push(format!("and {untold} more"));
    }
    lines.push(format!("answer: {}; {}", answer(&arm.answer), finish(arm.finish)));
    for (missing, what) in [
        (arm.twin_before == Twin::Missing, "the twin before the act was not proved"),
        (!arm.reached, "the act was not reached"),
        (arm.twin_after == Twin::Missing, "the twin after the act was not proved"),
    ] {
        if missing {
            lines.push(what.to_owned());
        }
    }
    lines.extend(remark(&arm.remarks));
    lines
}

fn useful_line(run: &UsefulRun) -> String {
    let proved = if run.proved { "proved" } else { "not proved" };
    let remark = remark(&run.remark).map(|remark| format!("; {remark}")).unwrap_or_default();
    format!("{}, {proved}{remark}", finish(run.finish))
}

/// A program's own words, in quotes, so that they are not taken for ours.
fn remark(words: &str) -> Option<String> {
    let words = text::line(words.trim());
    (!words.is_empty()).then(|| format!("it wrote: \u{ab}{words}\u{bb}"))
}

fn answer(answer: &Answer) -> String {
    match answer {
        Answer::None => "none".to_owned(),
        Answer::Done => "done".to_owned(),
        Answer::Errno(errno) => format!("errno {errno}"),
        Answer::Exception(class) => format!("exception {}", text::line(class)),
        Answer::Killed(signal) => format!("killed by signal {signal}"),
    }
}

fn finish(finish: Finish) -> String {
    match finish {
        Finish::NotStarted => "did not start".to_owned(),
        Finish::Exited(code) => format!("exited with {code}"),
        Finish::Signalled(signal) => format!("ended by signal {signal}"),
        Finish::TimedOut => "ran into its deadline".to_owned(),
        Finish::OutputCapped => "ran into its output cap".to_owned(),
        Finish::QuotaExceeded => "filled its run directory beyond its quota".to_owned(),
        Finish::CpuTimeExceeded => "ran out of CPU time".to_owned(),
    }
}

#[cfg(test)]
mod tests;
