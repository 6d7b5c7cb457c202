//! The generator yields each single change once, and each is one.

use super::*;
use crate::hook::{HookPolicy, HookRules};
use crate::linux::seccomp::{Action, Rule};
use crate::policy::Place;
use std::collections::BTreeMap;

fn enforcement() -> Enforcement {
    sample(Arch::X86_64).unwrap()
}

fn all() -> Vec<Mutant> {
    let present = Arch::X86_64.syscalls().map(|(name, _)| name.to_owned()).collect();
    mutants(&enforcement(), &Surroundings { above_run: "/tmp".to_owned(), present })
}

fn changed(mutant: &Mutant) -> Enforcement {
    let mut changed = enforcement();
    mutant.edit.apply(&mut changed);
    changed
}

#[test]
fn every_mutant_has_an_id_of_its_own_and_tells_the_kernel_something_else() {
    let (enforcement, mut seen) = (enforcement(), BTreeSet::new());
    let unchanged = Told::of(&enforcement);
    for mutant in all() {
        assert!(seen.insert(mutant.id()), "{} stands twice", mutant.id());
        assert!(mutant.tells(&enforcement) != unchanged, "{} changes nothing", mutant.id());
    }
    let same = Mutant { edit: Edit::All(Vec::new()), ..all().remove(0) };
    assert_eq!(same.tells(&enforcement), unchanged);
}

#[test]
fn every_refusal_and_every_silence_of_the_filter_is_allowed_once() {
    let allowed: BTreeSet<String> =
        all().into_iter().filter(|m| m.change == "allowed").map(|mutant| mutant.rule).collect();
    let filter = strict(Arch::X86_64);
    for (name, _) in Arch::X86_64.syscalls() {
        let free = filter.rules.get(name) == Some(&Rule::Always(Action::Allow));
        assert_eq!(allowed.contains(&format!("seccomp/{name}")), !free, "{name}");
    }
}

#[test]
fn every_right_scope_step_and_bound_is_dropped_once() {
    let enforcement = enforcement();
    let landlock = enforcement.landlock.as_ref().unwrap();
    let handled = landlock.handled_files.len() + landlock.handled_network.len();
    let of = |layer: &str, change: &str| {
        all().iter().filter(|m| m.rule.starts_with(layer) && m.change == change).count()
    };
    assert_eq!(of("landlock/", "not handled"), handled + landlock.scopes.len());
    assert_eq!(of("hygiene/", "skipped"), 10);
    assert_eq!(of("limits/", "lifted"), 8);
    let view = enforcement.view.as_ref().unwrap();
    let widened = all().iter().filter(|m| m.change.ends_with("widened to its parent")).count();
    assert_eq!(widened, landlock.rules.len() + view.places.len());
}

#[test]
fn a_right_that_is_not_handled_is_given_by_no_rule_and_stays_elsewhere() {
    let of = |rule: &str| changed(&all().into_iter().find(|m| m.rule == rule).unwrap());
    let without = of("landlock/write-file").landlock.unwrap();
    let run = &without.rules[&Place::Run].rights;
    assert!(!run.contains(&crate::enforcement::FileRight::WriteFile));
    assert!(run.contains(&crate::enforcement::FileRight::ReadFile));
    assert_eq!(of("policy/all"), Enforcement::bare(enforcement().limits));
}

#[test]
fn every_mutant_of_a_filter_still_compiles() {
    for mutant in all() {
        let Some(filter) = changed(&mutant).seccomp else { continue };
        assert!(crate::linux::seccomp::compile(&filter).is_ok(), "{}", mutant.id());
    }
}

#[test]
fn an_element_of_each_list_of_the_hook_is_dropped_once() {
    let rules = HookRules::standard();
    let mut lists: BTreeMap<String, usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for mutant in hook_mutants(&rules) {
        assert!(seen.insert(mutant.id()), "{} stands twice", mutant.id());
        let (mut policy, mut changed) = (HookPolicy::default(), rules.clone());
        policy.read.insert("/a/b".into());
        policy.write.insert("/c/d".into());
        let before = policy.clone();
        mutant.edit.apply(&mut policy, &mut changed);
        let off = mutant.edit == HookEdit::Off;
        assert_eq!((&before, &rules) == (&policy, &changed), off, "{}", mutant.id());
        *lists.entry(mutant.change.split(' ').next().unwrap().to_owned()).or_default() += 1;
    }
    assert_eq!(lists["permitted"], rules.namespaces.len() + rules.modules.len());
    assert_eq!(lists["not"], rules.arguments.len() + rules.fatal.len() + rules.guarded.len());
    assert_eq!(lists["no"], rules.write_flags.len() + rules.write_modes.len());
    assert_eq!(lists["the"], rules.refusing.len());
}

#[test]
fn rules_are_named_alike_on_every_host() {
    let names = rule_names().unwrap();
    for name in ["landlock/place-file", "seccomp/kcmp", "seccomp/x32", "hook/open", "layer/hook"] {
        assert!(names.contains(name), "{name}");
    }
    assert!(!names.contains("landlock/getcpu") && !names.contains("seccomp/getcpu"));
}
