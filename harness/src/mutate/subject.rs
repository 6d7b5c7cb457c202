//! What is mutated, which part of it is wanted, and who witnesses it. Pure.

use backends::mutant::{Aim, Edit, HookEdit, HookMutant, Mutant};
use std::collections::{BTreeMap, BTreeSet};

/// A mutant of the kernel's rules, or of the hook's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Of what the kernel is told.
    Kernel(Mutant),
    /// Of what the Python hook is told.
    Hook(HookMutant),
}

impl Subject {
    /// The rule that it touches.
    pub fn rule(&self) -> &str {
        match self {
            Self::Kernel(mutant) => &mutant.rule,
            Self::Hook(mutant) => &mutant.rule,
        }
    }

    /// What it does to the rule.
    pub fn change(&self) -> &str {
        match self {
            Self::Kernel(mutant) => &mutant.change,
            Self::Hook(mutant) => &mutant.change,
        }
    }

    /// What must notice it.
    pub fn aim(&self) -> Aim {
        match self {
            Self::Kernel(mutant) => mutant.aim,
            Self::Hook(mutant) => mutant.aim,
        }
    }

    /// Its name.
    pub fn id(&self) -> String {
        format!("{} {}", self.rule(), self.change())
    }

    /// Whether it is of the hook.
    pub fn is_hook(&self) -> bool {
        matches!(self, Self::Hook(_))
    }
}

/// The rules of the mutants, and how each is dropped.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    kernel: BTreeMap<String, Edit>,
    hook: BTreeMap<String, HookEdit>,
    /// Calls that no rule of the filter names.
    pub unnamed: BTreeSet<String>,
}

impl Rules {
    /// The rules of these mutants. A rule is dropped by its first weakening, the widest one.
    pub fn of(kernel: &[Mutant], hook: &[HookMutant], unnamed: BTreeSet<String>) -> Self {
        let mut rules = Self { unnamed, ..Self::default() };
        for mutant in kernel.iter().filter(|mutant| mutant.aim == Aim::Weaker) {
            rules.kernel.entry(mutant.rule.clone()).or_insert_with(|| mutant.edit.clone());
        }
        for mutant in hook.iter().filter(|mutant| mutant.aim == Aim::Weaker) {
            rules.hook.entry(mutant.rule.clone()).or_insert_with(|| mutant.edit.clone());
        }
        rules
    }

    /// The edits of the kernel's rules that drop these. A rule that this host does not have needs no
    /// dropping.
    pub fn drop_kernel(&self, rules: &BTreeSet<String>) -> Vec<Edit> {
        rules.iter().filter_map(|rule| self.kernel.get(rule).cloned()).collect()
    }

    /// The edits of the hook's rules that drop these.
    pub fn drop_hook(&self, rules: &BTreeSet<String>) -> Vec<HookEdit> {
        rules.iter().filter_map(|rule| self.hook.get(rule).cloned()).collect()
    }

    /// The single rules of the kernel or the hook, and at the end the layer that holds more than its
    /// rules say: Landlock keeps mounts and other processes apart by being there. So one of its rights
    /// stays: the kernel refuses it where nobody handles it.
    pub fn single(&self, hook: bool) -> Vec<String> {
        let names: Vec<&String> =
            if hook { self.hook.keys().collect() } else { self.kernel.keys().collect() };
        let wholesale = |name: &str| {
            name.starts_with("layer/")
                || name == "policy/all"
                // In the launcher's session nobody leads one, so that other acts fail.
                || matches!(name, "seccomp/default" | "landlock/refer" | "hygiene/own-session")
                || is_place(name)
        };
        let single = names.into_iter().filter(|name| !wholesale(name)).cloned();
        single.chain((!hook).then(|| "layer/landlock".to_owned())).collect()
    }
}

/// Whether a rule is about a place: what it gives is what the rules about rights take.
fn is_place(rule: &str) -> bool {
    rule.starts_with("landlock/place-") || matches!(rule, "hook/read" | "hook/write")
}

/// The two halves of the execution fuse: the filter's rule, and the launcher that answers it.
const FUSE: [&str; 2] = ["seccomp/execveat", "hygiene/execute-once"];

/// Whether two rules stand for each other, so that dropping one leaves nothing for the other to hold.
pub(super) fn stand_in(one: &str, other: &str) -> bool {
    let landlock = |rule: &str| rule.starts_with("landlock/") || rule == "layer/landlock";
    is_place(one) && landlock(one) == landlock(other) && one != other
        || is_place(other) && landlock(one) == landlock(other)
        || one == "layer/landlock" && landlock(other)
        || other == "layer/landlock" && landlock(one)
        || FUSE.contains(&one) && FUSE.contains(&other)
}

/// Whether an escape that witnesses `named` rules witnesses `rule`. A layer is witnessed by whoever
/// witnesses a rule of it, the answer to unnamed calls by whoever witnesses one, and the policy by all.
pub fn witnesses(named: &[&str], rule: &str, unnamed: &BTreeSet<String>) -> bool {
    let layer = rule.strip_prefix("layer/");
    named.iter().any(|name| {
        *name == rule
            || rule == "policy/all"
            || layer.is_some_and(|layer| name.split('/').next() == Some(layer))
            || rule == "seccomp/default"
                && name.strip_prefix("seccomp/").is_some_and(|call| unnamed.contains(call))
    })
}

/// Which mutants are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Only those whose rule begins with one of these, if there is any.
    pub rules: Vec<String>,
    /// Only each n-th, beginning with the k-th.
    pub shard: Option<(usize, usize)>,
}

impl Part {
    /// Whether the mutant at this index is wanted.
    pub fn takes(&self, index: usize, rule: &str) -> bool {
        let named = self.rules.is_empty() || self.rules.iter().any(|name| matches(rule, name));
        named && self.shard.is_none_or(|(k, n)| index % n == (k - 1) % n)
    }

    /// Whether this is the whole of them.
    pub fn is_all(&self) -> bool {
        self == &Self::default()
    }

    /// The words for it in reports.
    pub fn name(&self) -> Option<String> {
        let shard = self.shard.map(|(k, n)| format!("shard {k}/{n}"));
        let rules = (!self.rules.is_empty()).then(|| self.rules.join(", "));
        let words: Vec<String> = rules.into_iter().chain(shard).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// Whether a rule is the named one, or of the named layer, which ends in a slash.
fn matches(rule: &str, name: &str) -> bool {
    rule == name || name.ends_with('/') && rule.starts_with(name)
}
