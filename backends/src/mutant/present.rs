//! Which system calls the running kernel has. A throw-away child takes all steps of a launch, with one
//! call allowed that the filter refuses, and makes it with arguments that no call can use. It has no
//! capabilities and no files, so the call does nothing, whichever it is.

use super::edit::Edit;
use crate::enforcement::Enforcement;
use crate::launch::{Attempted, LaunchError, Prepared};
use crate::linux::seccomp::{Action, Rule};
use std::collections::BTreeSet;
use std::path::Path;

/// Calls that answer `ENOSYS` to arguments which they do not know, with arguments that they do.
const QUESTIONS: [(&str, [usize; 6]); 1] = [("modify_ldt", [0; 6])];

/// The calls without a rule that this kernel has. `run` is any directory that exists.
///
/// # Errors
/// When a child cannot be started, with its reason.
pub fn present(enforcement: &Enforcement, run: &Path) -> Result<BTreeSet<String>, LaunchError> {
    let Some(filter) = &enforcement.seccomp else { return Ok(BTreeSet::new()) };
    let unnamed = filter.arch.syscalls().filter(|(name, _)| !filter.rules.contains_key(*name));
    let mut present = BTreeSet::new();
    for (name, number) in unnamed {
        let mut allowed = enforcement.clone();
        Edit::Call(name.to_owned(), Rule::Always(Action::Allow)).apply(&mut allowed);
        let prepared = Prepared::new(allowed).map_err(LaunchError::Unavailable)?;
        let arguments = QUESTIONS
            .iter()
            .find(|(known, _)| *known == name)
            .map_or([usize::MAX; 6], |(_, arguments)| *arguments);
        let call = Attempted { number: number.into(), arguments };
        let answers = prepared.attempt(run, &[call])?;
        // A child that the call ended gave no answer, but had the call.
        if answers != [-(libc::ENOSYS as isize)] {
            present.insert(name.to_owned());
        }
    }
    Ok(present)
}
