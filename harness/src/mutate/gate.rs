//! The order of a run: escapes against the mutants of their rules, then mutants against the rest of
//! their witnesses, then both with the other rules dropped.

mod holders;
mod matrix;
mod tries;

use super::bench::Bench;
use super::judge::{Seen, fate};
use super::subject::{Part, Rules, Subject};
use crate::escape::Escape;
use crate::setting::{Setting, SettingError};
use crate::useful::UsefulWork;
use backends::hook::HookRules;
use backends::launch::LaunchError;
use backends::mutant::{Mutated, Surroundings, Told, hook_mutants, mutants, present};
use backends::native::native;
use backends::protection::Unavailable;
use reports::mutation::{Fate, Matrix};
use reports::record::Runtime;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Why it is right that a mutant or an escape is not noticed, by its name.
#[derive(Clone, Copy, Debug)]
pub struct Reasons {
    /// Mutants, by rule and change.
    pub mutants: &'static [(&'static str, &'static str)],
    /// Escapes that kill nothing.
    pub idle: &'static [(&'static str, &'static str)],
}

/// Why a gate cannot run.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// No trial can run here.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The sandbox is not available here.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The calls of this kernel cannot be found.
    #[error("find the system calls of this kernel: {0}")]
    Present(LaunchError),
    /// No mutant is selected.
    #[error("nothing selected: no mutant is of {0}")]
    Nothing(String),
}

/// A gate that is about to run.
#[derive(Debug)]
pub struct Gate<'a> {
    bench: Bench<'a>,
    escapes: &'a [&'static Escape],
    useful: &'a [&'static UsefulWork],
    reasons: Reasons,
    rules: Rules,
    subjects: Vec<Subject>,
    equivalent: BTreeSet<String>,
    part: Part,
    seen: Vec<Mutex<Seen>>,
}

impl<'a> Gate<'a> {
    /// Finds the mutants of `native` for the native program under trial, and those of the hook.
    ///
    /// # Errors
    /// When the sandbox cannot be set up here, or nothing is selected.
    pub fn new(
        setting: &'a Setting,
        escapes: &'a [&'static Escape],
        useful: &'a [&'static UsefulWork],
        reasons: Reasons,
        part: Part,
    ) -> Result<Self, GateError> {
        let policy = setting.policy(Runtime::Native)?;
        let enforcement = Mutated::new(native(), Vec::new()).enforcement(&policy)?;
        let surroundings = Surroundings {
            above_run: setting.base.to_string_lossy().into_owned(),
            present: present(&enforcement, &setting.base).map_err(GateError::Present)?,
        };
        let kernel = mutants(&enforcement, &surroundings);
        let hook = hook_mutants(&HookRules::standard());
        let rules = Rules::of(&kernel, &hook, surroundings.present);
        let unchanged = Told::of(&enforcement);
        let all =
            kernel.into_iter().map(Subject::Kernel).chain(hook.into_iter().map(Subject::Hook));
        let subjects: Vec<Subject> = all
            .enumerate()
            .filter(|(index, subject)| part.takes(*index, subject.rule()))
            .map(|(_, subject)| subject)
            .collect();
        if subjects.is_empty() {
            return Err(GateError::Nothing(part.name().unwrap_or_default()));
        }
        let tells = |subject: &&Subject| match subject {
            // A limit is narrow where an escape is to exceed it, whatever it is here.
            Subject::Kernel(mutant) if mutant.rule.starts_with("limits/") => false,
            Subject::Kernel(mutant) => mutant.tells(&enforcement) == unchanged,
            Subject::Hook(_) => false,
        };
        let equivalent = subjects.iter().filter(tells).map(Subject::id).collect();
        let seen = subjects.iter().map(|_| Mutex::default()).collect();
        let bench = Bench::new(setting);
        Ok(Self { bench, escapes, useful, reasons, rules, subjects, equivalent, part, seen })
    }

    /// How many steps [`Gate::run`] takes.
    pub fn length(&self) -> usize {
        self.escapes.len() * 2 + self.subjects.len() * 2
    }

    /// Runs the gate. `step` is called after each step.
    pub fn run(&self, step: &(dyn Fn() + Sync)) -> Matrix {
        let escapes: Vec<usize> = (0..self.escapes.len()).collect();
        let subjects: Vec<usize> = (0..self.subjects.len()).collect();
        let idle = Mutex::new(BTreeSet::new());
        each(&escapes, step, |index| {
            if !self.first_kill(index) {
                idle.lock().unwrap_or_else(PoisonError::into_inner).insert(index);
            }
        });
        each(&subjects, step, |index| self.rest_of_the_witnesses(index));
        each(&subjects, step, |index| self.behind_other_rules(index));
        let idle = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        each(&escapes, step, |index| {
            if idle.contains(&index) {
                self.first_masked_kill(index);
            }
        });
        self.matrix()
    }

    fn seen(&self, index: usize) -> Seen {
        self.seen.get(index).map_or_else(Seen::default, |seen| {
            seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
        })
    }

    fn note(&self, index: usize, note: impl FnOnce(&mut Seen)) {
        if let Some(seen) = self.seen.get(index) {
            note(&mut seen.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn is_open(&self, index: usize) -> bool {
        let Some(subject) = self.subjects.get(index) else { return false };
        let fate = fate(subject.aim(), &self.seen(index), None);
        !self.equivalent.contains(&subject.id()) && fate == Fate::Survived
    }
}

/// Shares the work among a few threads.
fn each(items: &[usize], step: &(dyn Fn() + Sync), work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, |cores| cores.get() * 2);
    let share = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::SeqCst)) {
            work(*item);
            step();
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let _no_thread = std::thread::Builder::new().spawn_scoped(scope, share);
        }
        share();
    });
}
