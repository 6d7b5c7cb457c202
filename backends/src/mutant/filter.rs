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
        Rule::Checked { allow_if, otherwise } => {
            let mut all = vec![allowed()];
            all.extend(of_clauses(name, allow_if, *otherwise));
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

/// Each check dropped, where others stand beside it, and each narrowed to the low half.
fn of_clauses(name: &str, allow_if: &BTreeSet<Clause>, otherwise: Errno) -> Vec<Mutant> {
    let mut all = Vec::new();
    for (index, clause) in allow_if.iter().enumerate() {
        for check in clause {
            let with = |clause: Clause, what: &str| {
                let mut clauses = allow_if.clone();
                clauses.remove(allow_if.iter().nth(index).unwrap_or(&clause));
                clauses.insert(clause);
                let Check { argument, .. } = check;
                let what = format!("argument {argument} of clause {index} {what}");
                change(name, what, Aim::Weaker, Rule::Checked { allow_if: clauses, otherwise })
            };
            let mut rest = clause.clone();
            rest.remove(check);
            // Without its only check a clause allows everything, which stands above already.
            if !rest.is_empty() {
                all.push(with(rest.clone(), "not checked"));
            }
            if check.width == Width::Full64 {
                let low = Width::Low32;
                let narrow = Check { width: low, mask: check.mask & low.all_bits(), ..*check };
                rest.insert(narrow);
                all.push(with(rest, "checked in its low half only"));
            }
        }
    }
    all
}
