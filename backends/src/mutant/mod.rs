//! Linux. Mutants: every single weakening of an enforcement as data, and a few strictures besides.
//!
//! A sandbox whose every rule is missed by someone when it is taken away is one whose tests are worth
//! their name. The generator walks [`Enforcement`] and [`HookRules`](crate::hook::HookRules) by
//! exhaustive destructuring: a field that is added later does not compile before it has its mutants.
//!
//! ```text
//! Enforcement -> mutants -> (rule, change, edit);   edit(Enforcement) -> Mutated, a backend
//! ```

mod backend;
mod edit;
mod filter;
mod generate;
mod hook;
mod present;
#[cfg(test)]
mod tests;

pub use backend::Mutated;
pub use edit::{Edit, Layer, LimitName, Step, Told};
pub use generate::{Surroundings, mutants};
pub use hook::{HookEdit, HookMutant, hook_mutants};
pub use present::present;

use crate::enforcement::Enforcement;
use crate::linux::lower;
use crate::linux::seccomp::{Arch, strict};
use crate::linux::view::view;
use crate::policy::{Bound, GrantError, Limits, Policy};
use std::collections::BTreeSet;

/// One change of an enforcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The rule that it touches: `layer/rule`, as escapes name what they witness.
    pub rule: String,
    /// What it does to the rule.
    pub change: String,
    /// What must notice it.
    pub aim: Aim,
    /// The change as data.
    pub edit: Edit,
}

/// Which way a mutant goes, and so who must notice it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aim {
    /// Something that was denied is allowed: an escape must get out.
    Weaker,
    /// A refusal is told as a success: useful work must miss the truth.
    Untrue,
    /// Something that was allowed is denied: useful work must break.
    Stricter,
}

impl Mutant {
    /// Its name: the rule and the change.
    pub fn id(&self) -> String {
        format!("{} {}", self.rule, self.change)
    }

    /// What the kernel is told with this change.
    pub fn tells(&self, enforcement: &Enforcement) -> Told {
        let mut changed = enforcement.clone();
        self.edit.apply(&mut changed);
        Told::of(&changed)
    }
}

/// Every name of a rule that a mutant of ours can have, whatever the host: what an escape may witness.
///
/// # Errors
/// When the host lacks what every policy grants.
pub fn rule_names() -> Result<BTreeSet<String>, GrantError> {
    let mut names: BTreeSet<String> = generate::PLACES.iter().map(ToString::to_string).collect();
    for arch in [Arch::X86_64, Arch::Aarch64] {
        let enforcement = sample(arch)?;
        let surroundings = Surroundings {
            above_run: String::new(),
            present: arch.syscalls().map(|(name, _)| name.to_owned()).collect(),
        };
        names.extend(mutants(&enforcement, &surroundings).into_iter().map(|mutant| mutant.rule));
    }
    names.extend(hook_mutants(&crate::hook::HookRules::standard()).into_iter().map(|m| m.rule));
    Ok(names)
}

/// An enforcement with an element of every kind.
fn sample(arch: Arch) -> Result<Enforcement, GrantError> {
    let bound = Bound::At(1 << 20);
    let limits = Limits {
        wall_clock_milliseconds: bound,
        cpu_seconds: bound,
        address_space_bytes: bound,
        file_size_bytes: bound,
        open_files: bound,
        output_bytes: bound,
        run_directory_bytes: bound,
        run_directory_entries: bound,
    };
    let policy = Policy::builder().limits(limits).devices()?.build()?;
    let mut enforcement = lower::strict(&policy, strict(arch));
    enforcement.view = Some(view(&policy));
    Ok(enforcement)
}
