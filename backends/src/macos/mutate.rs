//! A profile with one thing wrong: every rule removed, widened, turned round or moved, one at a time.
//! Whoever asks a profile questions must notice each of them, or has not asked enough.
//!
//! Moved is only a rule past another that does the opposite to an operation of the same line, on objects
//! that can be the same: among all others the order means nothing in either reading, so that such a
//! mutant would be the same profile.

use super::operation::{Action, Operation};
use super::profile::Profile;
use super::rules::{Filter, Rule, Text, Values, is_beneath};

/// A profile with one thing wrong.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// What is wrong with it.
    pub name: String,
    /// Its rules.
    pub rules: Vec<Rule>,
}

/// Every mutant of a profile. The values are those of its parameters: the directory above a granted one
/// is known by them.
pub fn mutants(profile: &Profile, values: &Values) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (at, rule) in profile.rules.iter().enumerate() {
        let mut changed = |what: &str, rules: Vec<Rule>| {
            let name = format!("{what}: {rule}");
            let mut all = profile.rules.clone();
            all.splice(at..=at, rules);
            mutants.push(Mutant { name, rules: all });
        };
        changed("removed", Vec::new());
        changed("turned round", vec![Rule { action: rule.action.opposite(), ..rule.clone() }]);
        for (what, smaller) in parts(rule) {
            changed(&what, vec![smaller]);
        }
        for (what, wider) in widened(rule, values) {
            changed(&what, vec![wider]);
        }
    }
    mutants.extend(moved(&profile.rules, values));
    mutants
}

/// The rule without one of its operations, or one of its filters.
fn parts(rule: &Rule) -> Vec<(String, Rule)> {
    let mut parts = Vec::new();
    if rule.operations.len() > 1 {
        for (at, operation) in rule.operations.iter().enumerate() {
            let mut part = rule.clone();
            part.operations.remove(at);
            parts.push((format!("without {operation:?}"), part));
        }
    }
    if rule.filters.len() > 1 {
        for (at, filter) in rule.filters.iter().enumerate() {
            let mut part = rule.clone();
            part.filters.remove(at);
            parts.push((format!("without {filter}"), part));
        }
    }
    parts
}

/// The rule with one operation, or one filter, made wider; and without any filter.
fn widened(rule: &Rule, values: &Values) -> Vec<(String, Rule)> {
    let mut wider = Vec::new();
    for (at, operation) in rule.operations.iter().enumerate() {
        if let Some(parent) = operation.parent() {
            let mut changed = rule.clone();
            if let Some(slot) = changed.operations.get_mut(at) {
                *slot = parent;
            }
            wider.push((format!("{operation:?} widened to {parent:?}"), changed));
        }
    }
    for (at, filter) in rule.filters.iter().enumerate() {
        for wide in wide(filter, rule.action, values) {
            let mut changed = rule.clone();
            let what = format!("{filter} widened to {wide}");
            if let Some(slot) = changed.filters.get_mut(at) {
                *slot = wide;
            }
            wider.push((what, changed));
        }
    }
    if !rule.filters.is_empty() {
        wider.push(("without filters".to_owned(), Rule { filters: Vec::new(), ..rule.clone() }));
    }
    wider
}

/// Wider filters than this one. A denial that names a directory could deny all beneath it too; a path
/// that is allowed and names a file has nothing beneath.
fn wide(filter: &Filter, action: Action, values: &Values) -> Vec<Filter> {
    let above = |text: &Text| {
        let path = text.value(values).unwrap_or("/");
        let above = path.rsplit_once('/').map_or("/", |(above, _)| above);
        Filter::Subpath(Text::fixed(if above.is_empty() { "/" } else { above }))
    };
    match filter {
        Filter::Literal(text) => {
            let beneath = (action == Action::Deny).then(|| Filter::Subpath(text.clone()));
            beneath.into_iter().chain([above(text)]).collect()
        }
        Filter::Subpath(text) | Filter::Ancestors(text) => vec![above(text)],
        Filter::VnodeType(kinds) => (0..kinds.len())
            .map(|at| {
                let mut fewer = kinds.clone();
                fewer.remove(at);
                Filter::VnodeType(fewer)
            })
            .collect(),
        Filter::All(filters) => (0..filters.len())
            .map(|at| {
                let mut fewer = filters.clone();
                fewer.remove(at);
                Filter::All(fewer)
            })
            .collect(),
        Filter::OwnProcess
        | Filter::ProcessPath(_)
        | Filter::FcntlCommand(_)
        | Filter::IoctlCommand(_)
        | Filter::UnixCall(_)
        | Filter::GlobalName(_)
        | Filter::SysctlName(_)
        | Filter::PolicyName(_)
        | Filter::SyscallNumber(_) => Vec::new(),
    }
}

/// Each rule moved before an earlier one with which it does not agree.
fn moved(rules: &[Rule], values: &Values) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (later, rule) in rules.iter().enumerate() {
        for (earlier, other) in rules.iter().enumerate().take(later) {
            if rule.action != other.action
                && are_of_one_line(rule, other)
                && may_meet(rule, other, values)
            {
                let mut all = rules.to_vec();
                all.remove(later);
                all.insert(earlier, rule.clone());
                mutants.push(Mutant { name: format!("{rule} before {other}"), rules: all });
            }
        }
    }
    mutants
}

/// Whether an operation of one rule asks one of the other, or is it.
fn are_of_one_line(one: &Rule, other: &Rule) -> bool {
    let asks = |narrow: &Operation, wide: &Operation| narrow.line().any(|line| line == *wide);
    one.operations
        .iter()
        .any(|one| other.operations.iter().any(|other| asks(one, other) || asks(other, one)))
}

/// Whether both rules can speak of the same object: not where each names places only, and none of one
/// lies in one of the other.
fn may_meet(one: &Rule, other: &Rule, values: &Values) -> bool {
    let (Some(one), Some(other)) = (roots(one, values), roots(other, values)) else { return true };
    one.iter().any(|one| other.iter().any(|other| is_beneath(one, other) || is_beneath(other, one)))
}

/// The places that a rule names, if it names places alone.
fn roots<'a>(rule: &'a Rule, values: &'a Values) -> Option<Vec<&'a str>> {
    let place = |filter: &'a Filter| match filter {
        Filter::Literal(text) | Filter::Subpath(text) => text.value(values).ok(),
        Filter::Ancestors(_)
        | Filter::VnodeType(_)
        | Filter::OwnProcess
        | Filter::ProcessPath(_)
        | Filter::FcntlCommand(_)
        | Filter::IoctlCommand(_)
        | Filter::UnixCall(_)
        | Filter::GlobalName(_)
        | Filter::SysctlName(_)
        | Filter::PolicyName(_)
        | Filter::SyscallNumber(_)
        | Filter::All(_) => None,
    };
    if rule.filters.is_empty() { None } else { rule.filters.iter().map(place).collect() }
}
