//! One step of a run: an escape or useful work against one mutant.

use super::Gate;
use crate::escape::Escape;
use crate::host;
use crate::mutate::bench::Ground;
use crate::mutate::judge::{Tried, Worked};
use crate::mutate::subject::{Subject, stand_in, witnesses};
use crate::useful_run;
use backends::mutant::Aim;
use reports::record::{Outcome, Runtime, UsefulOutcome};
use std::collections::BTreeSet;

/// The useful works that know whether refusals are told.
const TRUTH: [&str; 2] = ["useful/refusals", "useful/touch"];

impl Gate<'_> {
    /// The weaker mutants that an escape witnesses, the wholesale ones last.
    pub(super) fn witnessed(&self, escape: &Escape) -> Vec<usize> {
        let weaker = |index: &usize| {
            self.subjects.get(*index).is_some_and(|subject| {
                subject.aim() == Aim::Weaker && self.is_witness(escape, subject)
            })
        };
        let by_name = |index: &usize| {
            let rule = self.subjects.get(*index).map_or("", Subject::rule);
            !escape.witnesses.contains(&rule)
        };
        let mut indices: Vec<usize> = (0..self.subjects.len()).filter(weaker).collect();
        indices.sort_by_key(by_name);
        indices
    }

    pub(super) fn is_witness(&self, escape: &Escape, subject: &Subject) -> bool {
        let hook = subject.is_hook();
        Ground::unmutated(hook).runtime(escape).is_some()
            && (!hook || escape.witnesses.iter().any(|rule| rule.starts_with("hook/")))
            && witnesses(escape.witnesses, subject.rule(), &self.rules.unnamed)
    }

    /// Tries an escape against the mutants of the rules that it names until it kills one.
    pub(super) fn first_kill(&self, index: usize) -> bool {
        let Some(escape) = self.escapes.get(index).copied() else { return true };
        let mut killed = false;
        // Both grounds: who witnesses the hook's rules must kill one of those, too.
        for hook in [false, true] {
            let named = self.witnessed(escape).into_iter().filter(|index| {
                let subject = self.subjects.get(*index);
                subject.is_some_and(|subject| {
                    subject.is_hook() == hook && escape.witnesses.contains(&subject.rule())
                })
            });
            killed |= named.into_iter().any(|index| self.try_alone(escape, index));
        }
        killed
    }

    fn try_alone(&self, escape: &Escape, index: usize) -> bool {
        let Some(subject) = self.subjects.get(index) else { return false };
        let hook = subject.is_hook();
        let without = self.bench.unmutated(escape, hook);
        let ground = Ground::unmutated(hook).with(subject);
        self.conclude(escape, index, BTreeSet::new(), without, &ground)
    }

    /// Where an escape is not held without the mutation, there is nothing to try.
    fn conclude(
        &self,
        escape: &Escape,
        index: usize,
        behind: BTreeSet<String>,
        without: Outcome,
        ground: &Ground,
    ) -> bool {
        let with = match &without {
            Outcome::Held { .. } => self.bench.outcome(escape, ground),
            Outcome::Escaped { .. }
            | Outcome::Residue { .. }
            | Outcome::Stale { .. }
            | Outcome::NotApplicable { .. }
            | Outcome::Inconclusive { .. } => without.clone(),
        };
        let tried = Tried { escape: escape.id.to_owned(), witnesses: true, behind, without, with };
        let got_out = tried.got_out();
        self.note(index, |seen| seen.tried.push(tried));
        got_out
    }

    /// Tries a mutant that nobody killed yet against its other witnesses, or against useful work.
    pub(super) fn rest_of_the_witnesses(&self, index: usize) {
        let Some(subject) = self.subjects.get(index) else { return };
        if !self.is_open(index) {
            return;
        }
        if subject.aim() != Aim::Weaker {
            self.try_work(index);
            return;
        }
        let known: BTreeSet<String> =
            self.seen(index).tried.into_iter().map(|tried| tried.escape).collect();
        let mut rest = self
            .escapes
            .iter()
            .filter(|escape| !known.contains(escape.id) && self.is_witness(escape, subject));
        let _killer = rest.find(|escape| self.try_alone(escape, index));
    }

    fn try_work(&self, index: usize) {
        let Some(subject) = self.subjects.get(index) else { return };
        let hook = subject.is_hook();
        let ground = Ground::unmutated(hook).with(subject);
        for case in self.useful {
            let python = useful_run::runtime(&case.work) == Runtime::Python;
            let absent = case.needs().into_iter().any(|need| host::lacks(need).is_some());
            let other = subject.aim() == Aim::Untrue && !TRUTH.contains(&case.id);
            if absent || other || hook && !(python && case.hook) {
                continue;
            }
            let without = self.bench.unmutated_work(case, hook);
            if without != UsefulOutcome::Works {
                continue;
            }
            let with = self.bench.work(case, &ground);
            let worked = Worked { case: case.id.to_owned(), without, with };
            let broke = worked.broke();
            self.note(index, |seen| seen.worked.push(worked));
            if broke {
                return;
            }
        }
    }

    /// Tries a mutant that nobody killed with the other rules dropped that its witnesses name.
    pub(super) fn behind_other_rules(&self, index: usize) {
        let Some(subject) = self.subjects.get(index) else { return };
        if !self.is_open(index) || subject.aim() != Aim::Weaker {
            return;
        }
        let _killer = self
            .escapes
            .iter()
            .filter(|escape| self.is_witness(escape, subject))
            .find(|escape| self.try_behind(escape, index));
    }

    fn try_behind(&self, escape: &Escape, index: usize) -> bool {
        let Some(subject) = self.subjects.get(index) else { return false };
        let behind: BTreeSet<String> = escape
            .witnesses
            .iter()
            .filter(|rule| rule.starts_with("hook/") == subject.is_hook())
            .filter(|rule| **rule != subject.rule() && !stand_in(rule, subject.rule()))
            .map(ToString::to_string)
            .collect();
        if behind.is_empty() {
            return false;
        }
        let ground = self.without(&behind, subject.is_hook());
        let without = self.bench.outcome(escape, &ground);
        self.conclude(escape, index, behind, without, &ground.with(subject))
    }

    /// Lets an escape that killed nothing alone kill one with the other rules dropped.
    pub(super) fn first_masked_kill(&self, index: usize) {
        let Some(escape) = self.escapes.get(index).copied() else { return };
        let named = self.witnessed(escape).into_iter().filter(|index| {
            let subject = self.subjects.get(*index);
            let got_out = |tried: &Tried| tried.escape == escape.id && tried.got_out();
            let done = self.seen(*index).tried.iter().any(got_out);
            !done && subject.is_some_and(|s| escape.witnesses.contains(&s.rule()))
        });
        let killed = self.killers().contains(escape.id);
        let _any = !killed && named.into_iter().any(|index| self.try_behind(escape, index));
    }

    /// The ground with these rules dropped.
    pub(super) fn without(&self, rules: &BTreeSet<String>, hook: bool) -> Ground {
        if hook {
            Ground::Hook(self.rules.drop_hook(rules))
        } else {
            Ground::Kernel(self.rules.drop_kernel(rules))
        }
    }
}
