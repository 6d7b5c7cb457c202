//! Who witnesses what, and which part is wanted.

use super::*;
use backends::mutant::{Aim, Edit, Mutant};
use std::collections::BTreeSet;

fn unnamed() -> BTreeSet<String> {
    BTreeSet::from(["keyctl".to_owned()])
}

#[test]
fn an_escape_witnesses_the_rules_it_names_and_what_holds_them_all() {
    let named = ["seccomp/keyctl", "landlock/read-file"];
    let is_witness = |rule| witnesses(&named, rule, &unnamed());
    for rule in ["seccomp/keyctl", "layer/seccomp", "layer/landlock", "policy/all"] {
        assert!(is_witness(rule), "{rule}");
    }
    for rule in ["seccomp/kill", "layer/hygiene", "layer/hook", "landlock/read-dir"] {
        assert!(!is_witness(rule), "{rule}");
    }
}

#[test]
fn the_answer_to_unnamed_calls_is_witnessed_by_who_names_one() {
    assert!(witnesses(&["seccomp/keyctl"], "seccomp/default", &unnamed()));
    assert!(!witnesses(&["seccomp/kill"], "seccomp/default", &unnamed()));
    assert!(!witnesses(&["hook/keyctl"], "seccomp/default", &unnamed()));
}

#[test]
fn shards_are_disjoint_and_leave_nothing_out() {
    let shard = |k| Part { shard: Some((k, 3)), ..Part::default() };
    for index in 0..20 {
        let takers = (1..=3).filter(|k| shard(*k).takes(index, "seccomp/kill")).count();
        assert_eq!(takers, 1);
    }
    assert!(Part::default().takes(7, "seccomp/kill"));
}

#[test]
fn a_part_takes_the_rules_it_names_and_the_layers() {
    let part = Part { rules: vec!["seccomp/kill".to_owned(), "hook/".to_owned()], shard: None };
    assert!(part.takes(0, "seccomp/kill") && part.takes(0, "hook/open"));
    assert!(!part.takes(0, "seccomp/killall") && !part.takes(0, "landlock/refer"));
    assert_eq!(part.name().as_deref(), Some("seccomp/kill, hook/"));
    assert!(Part::default().is_all() && !part.is_all());
}

#[test]
fn a_rule_is_dropped_by_its_first_weakening() {
    let mutant =
        |rule: &str, aim, edit| Mutant { rule: rule.to_owned(), change: String::new(), aim, edit };
    let rules = Rules::of(
        &[
            mutant("a/b", Aim::Stricter, Edit::NoVariables),
            mutant("a/b", Aim::Weaker, Edit::Nothing),
            mutant("a/b", Aim::Weaker, Edit::NoVariables),
        ],
        &[],
        unnamed(),
    );
    let wanted = BTreeSet::from(["a/b".to_owned(), "not/here".to_owned()]);
    assert_eq!(rules.drop_kernel(&wanted), [Edit::Nothing]);
}
