//! The table of fates, and what holds for all of them.

use super::*;
use proptest::prelude::*;
use reports::record::{Doubt, EffectKind, Flaw};

fn held() -> Outcome {
    Outcome::Held { by: "EPERM".to_owned() }
}

fn escaped() -> Outcome {
    Outcome::Escaped { evidence: BTreeSet::from([EffectKind::TokenLeaked]) }
}

fn inconclusive() -> Outcome {
    Outcome::Inconclusive { why: Doubt::NotStarted }
}

fn absent() -> Outcome {
    Outcome::NotApplicable { evidence: "ENOSYS".to_owned() }
}

fn tried(behind: &[&str], without: Outcome, with: Outcome) -> Tried {
    let behind = behind.iter().map(ToString::to_string).collect();
    Tried { escape: "fs-read/open".to_owned(), witnesses: true, behind, without, with }
}

fn judged(tried: Vec<Tried>) -> Fate {
    fate(Aim::Weaker, &Seen { tried, ..Seen::default() }, None)
}

fn worked(without: UsefulOutcome, with: UsefulOutcome) -> Seen {
    let worked = Worked { case: "useful/threads".to_owned(), without, with };
    Seen { worked: vec![worked], ..Seen::default() }
}

#[test]
fn a_mutant_is_killed_by_an_escape_that_was_held_and_gets_out() {
    let by = "fs-read/open".to_owned();
    assert_eq!(judged(vec![tried(&[], held(), escaped())]), Fate::Killed { by });
}

#[test]
fn what_is_not_shown_kills_nothing() {
    let rows = [
        (held(), held()),
        (held(), inconclusive()),
        (held(), absent()),
        (escaped(), escaped()),
        (inconclusive(), escaped()),
    ];
    for (without, with) in rows {
        assert_eq!(judged(vec![tried(&[], without, with)]), Fate::Survived);
    }
    assert_eq!(judged(Vec::new()), Fate::Survived);
}

#[test]
fn an_escape_that_does_not_name_the_rule_kills_nothing() {
    let stranger = Tried { witnesses: false, ..tried(&[], held(), escaped()) };
    assert_eq!(judged(vec![stranger]), Fate::Survived);
}

#[test]
fn a_mutant_behind_another_rule_is_masked_unless_it_is_killed_alone() {
    let masked = tried(&["seccomp/kill"], held(), escaped());
    let fate = judged(vec![tried(&[], held(), held()), masked.clone()]);
    assert_eq!(fate, Fate::Masked { by: masked.escape.clone(), behind: masked.behind.clone() });
    let fate = judged(vec![masked, tried(&[], held(), escaped())]);
    assert_eq!(fate, Fate::Killed { by: "fs-read/open".to_owned() });
}

#[test]
fn a_rule_that_does_nothing_behind_the_dropped_ones_is_not_masked() {
    assert_eq!(judged(vec![tried(&["seccomp/kill"], escaped(), escaped())]), Fate::Survived);
}

#[test]
fn a_mutant_of_which_no_surface_is_here_is_absent() {
    let absent = tried(&[], absent(), absent());
    assert_eq!(judged(vec![absent.clone()]), Fate::Absent { evidence: "ENOSYS".to_owned() });
    assert_eq!(judged(vec![absent, tried(&[], held(), held())]), Fate::Survived);
}

#[test]
fn strictures_and_untruths_are_killed_by_broken_work_alone() {
    let broken = UsefulOutcome::Broken { why: Flaw::Failed };
    let unstarted = UsefulOutcome::Inconclusive { why: Flaw::NotStarted };
    for aim in [Aim::Stricter, Aim::Untrue] {
        let seen = worked(UsefulOutcome::Works, broken.clone());
        assert_eq!(fate(aim, &seen, None), Fate::Killed { by: "useful/threads".to_owned() });
        let seen = worked(UsefulOutcome::Works, unstarted.clone());
        assert_eq!(fate(aim, &seen, None), Fate::Survived);
        assert_eq!(fate(aim, &worked(broken.clone(), broken.clone()), None), Fate::Survived);
        let escaped = Seen { tried: vec![tried(&[], held(), escaped())], ..Seen::default() };
        assert_eq!(fate(aim, &escaped, None), Fate::Survived);
    }
    let seen = worked(UsefulOutcome::Works, broken);
    assert_eq!(fate(Aim::Weaker, &seen, None), Fate::Survived);
}

#[test]
fn a_reason_justifies_a_survivor_and_nothing_else() {
    let reason = || Fate::Justified { reason: "harmless".to_owned() };
    let with = |tried| fate(Aim::Weaker, &Seen { tried, ..Seen::default() }, Some("harmless"));
    assert_eq!(with(vec![tried(&[], held(), held())]), reason());
    assert_ne!(with(vec![tried(&[], held(), escaped())]), reason());
    let equivalent = Seen { equivalent: true, ..Seen::default() };
    assert_eq!(fate(Aim::Weaker, &equivalent, Some("harmless")), Fate::Equivalent);
}

fn outcomes() -> impl Strategy<Value = Outcome> {
    let stale = Outcome::Stale { reason: String::new() };
    let residue = Outcome::Residue { reason: String::new(), evidence: BTreeSet::new() };
    prop::sample::select(vec![held(), escaped(), inconclusive(), absent(), stale, residue])
}

proptest! {
    #[test]
    fn killed_means_that_one_trial_turned_from_held_to_escaped(
        rows in prop::collection::vec((outcomes(), outcomes(), any::<bool>(), any::<bool>()), 0..6),
    ) {
        let tried: Vec<Tried> = rows
            .into_iter()
            .map(|(without, with, witnesses, alone)| Tried {
                witnesses,
                ..tried(if alone { &[] } else { &["layer/rule"] }, without, with)
            })
            .collect();
        let turned = |alone: bool| tried.iter().any(|t| {
            t.witnesses
                && t.behind.is_empty() == alone
                && t.without == held()
                && matches!(t.with, Outcome::Escaped { .. })
        });
        let (killed, masked) = (turned(true), turned(false));
        let fate = judged(tried);
        prop_assert_eq!(fate.name() == "killed", killed);
        prop_assert_eq!(fate.name() == "masked", masked && !killed);
    }
}
