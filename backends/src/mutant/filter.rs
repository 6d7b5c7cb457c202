//! The mutants of a system call filter.

use super::edit::Edit;
use super::generate::mutant;
use super::{Aim, Mutant};
use crate::linux::seccomp::{Action, Arch, Check, Clause, Errno, Rule, Width};
use std::collections::{BTreeMap, BTreeSet};

/// Calls that the launch makes under its own filter: without them nothing starts, which the launch
/// says by itself, and useful work never gets to say.
const MADE_BY_THE_LAUNCH: [&str; 4] = ["fcntl", "prctl", "prlimit64", "recvmsg"];

/// What holds for calls that no rule names.
pub(super) fn of_whole(
    arch: Arch,
    foreign_arch: Action,
    x32: Action,
    default: Action,
) -> Vec<Mutant> {
    let allow = |rule, edit| mutant(rule, "allowed", Aim::Weaker, edit);
    let mut all = Vec::new();
    if foreign_arch != Action::Allow {
        all.push(allow("seccomp/architecture", Edit::ForeignArch(Action::Allow)));
    }
    if arch.has_x32() && x32 != Action::Allow {
        all.push(allow("seccomp/x32", Edit::X32(Action::Allow)));
    }
    if default != Action::Allow {
        all.push(allow("seccomp/default", Edit::Default(Action::Allow)));
    }
    if default != Action::Errno(Errno::Success) {
        let edit = Edit::Default(Action::Errno(Errno::Success));
        all.push(mutant("seccomp/default", "told as success", Aim::Untrue, edit));
    }
    all
}

/// The rules of the filter, one by one.
pub(super) fn of_rules(rules: &BTreeMap<String, Rule>) -> Vec<Mutant> {
    rules.iter().flat_map(|(name, rule)| of_rule(name, rule)).collect()
}

/// Calls that no rule names and this kernel has, each allowed alone.
pub(super) fn of_unnamed(
    rules: &BTreeMap<String, Rule>,
    present: &BTreeSet<String>,
) -> Vec<Mutant> {
    present
        .iter()
        .filter(|name| !rules.contains_key(*name))
        .map(|name| change(name, "allowed", Aim::Weaker, Rule::Always(Action::Allow)))
        .collect()
}

fn change(name: &str, what: impl Into<String>, aim: Aim, rule: Rule) -> Mutant {
    mutant(&format!("seccomp/{name}"), what, aim, Edit::Call(name.to_owned(), rule))
}

fn of_rule(name: &str, rule: &Rule) -> Vec<Mutant> {
    let allowed = || change(name, "allowed", Aim::Weaker, Rule::Always(Action::Allow));
    match rule {
        // Denying what is allowed alone is no promise that was broken: see the argument rules.
        Rule::Always(Action::Allow) => Vec::new(),
        Rule::Once { .. } | Rule::Always(Action::KillProcess | Action::Errno(Errno::Success)) => {
            vec![allowed()]
        }
        Rule::Always(Action::Errno(_)) => {
            let success = Rule::Always(Action::Errno(Errno::Success));
            vec![allowed(), change(name, "told as success", Aim::Untrue, success)]
        }
        Rule::Feigned { refuse_if, refused } => {
            let success = Rule::Always(Action::Errno(Errno::Success));
            let mut all = vec![allowed(), change(name, "told as success", Aim::Untrue, success)];
            all.extend(unchecked(refuse_if).into_iter().map(|(clauses, what)| {
                let rule = Rule::Feigned { refuse_if: clauses, refused: *refused };
                change(name, what, Aim::Stricter, rule)
            }));
            all
        }
        Rule::Checked { allow_if, otherwise } => {
            let mut all = vec![allowed()];
            let weaker = unchecked(allow_if).into_iter().chain(half_checked(allow_if));
            all.extend(weaker.map(|(clauses, what)| {
                let rule = Rule::Checked { allow_if: clauses, otherwise: *otherwise };
                change(name, what, Aim::Weaker, rule)
            }));
            if *otherwise != Errno::Success {
                let rule = Rule::Checked { allow_if: allow_if.clone(), otherwise: Errno::Success };
                all.push(change(name, "told as success", Aim::Untrue, rule));
            }
            // A refusal that is told as success anyway is missed by nobody.
            if !MADE_BY_THE_LAUNCH.contains(&name) && *otherwise != Errno::Success {
                let closed = Rule::Always(Action::Errno(*otherwise));
                all.push(change(name, "denied for every argument", Aim::Stricter, closed));
            }
            all
        }
    }
}

/// Each check dropped, where others stand beside it, and what that is. Without its only check a clause always holds,
/// which is another mutant.
fn unchecked(clauses: &BTreeSet<Clause>) -> Vec<(BTreeSet<Clause>, String)> {
    let several = clauses.iter().enumerate().filter(|(_, clause)| clause.len() > 1);
    several
        .flat_map(|(index, clause)| {
            clause.iter().map(move |check| {
                let mut rest = clause.clone();
                rest.remove(check);
                let what = format!("argument {} of clause {index} not checked", check.argument);
                (with(clauses, clause, rest), what)
            })
        })
        .collect()
}

/// Each check narrowed to the low half, and what that is.
fn half_checked(clauses: &BTreeSet<Clause>) -> Vec<(BTreeSet<Clause>, String)> {
    let mut all = Vec::new();
    for (index, clause) in clauses.iter().enumerate() {
        for check in clause.iter().filter(|check| check.width == Width::Full64) {
            let low = Width::Low32;
            let mut narrow = clause.clone();
            narrow.remove(check);
            narrow.insert(Check { width: low, mask: check.mask & low.all_bits(), ..*check });
            let argument = check.argument;
            let what =
                format!("argument {argument} of clause {index} checked in its low half only");
            all.push((with(clauses, clause, narrow), what));
        }
    }
    all
}

/// The clauses with another in the place of one.
fn with(clauses: &BTreeSet<Clause>, one: &Clause, other: Clause) -> BTreeSet<Clause> {
    clauses.iter().filter(|clause| *clause != one).cloned().chain([other]).collect()
}
