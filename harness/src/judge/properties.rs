//! What must be true of every trial, over arbitrary arms.

use super::tests::{attempt, control, terms};
use super::*;
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use reports::record::Effect;

fn number() -> impl Strategy<Value = i32> {
    prop_oneof![Just(libc::EACCES), Just(libc::ENOSYS), Just(libc::SIGSYS), any::<i32>()]
}

fn class() -> impl Strategy<Value = String> {
    prop_oneof![Just("PermissionError".to_owned()), "[a-z]{0,3}"]
}

fn start() -> impl Strategy<Value = Start> {
    prop_oneof![4 => Just(Start::Started), 1 => "[a-z]{0,3}".prop_map(Start::Refused)]
}

fn twin() -> impl Strategy<Value = Twin> {
    prop_oneof![4 => Just(Twin::Proved), 1 => Just(Twin::Missing)]
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        Just(Answer::None),
        Just(Answer::Done),
        number().prop_map(Answer::Errno),
        class().prop_map(Answer::Exception),
        number().prop_map(Answer::Killed),
    ]
}

fn finish() -> impl Strategy<Value = Finish> {
    prop_oneof![
        4 => Just(Finish::Exited(0)),
        1 => Just(Finish::NotStarted),
        1 => any::<i32>().prop_map(Finish::Exited),
        1 => number().prop_map(Finish::Signalled),
        1 => Just(Finish::TimedOut),
        1 => Just(Finish::OutputCapped),
        1 => Just(Finish::QuotaExceeded),
        1 => Just(Finish::CpuTimeExceeded),
    ]
}

fn effects() -> impl Strategy<Value = Vec<Effect>> {
    let kind = prop_oneof![
        Just(EffectKind::TokenLeaked),
        Just(EffectKind::TreeChanged),
        Just(EffectKind::Contacted),
        Just(EffectKind::ObjectHeld),
    ];
    vec((kind, "[a-z]{0,3}").prop_map(|(kind, detail)| Effect { kind, detail }), 0..3)
}

fn arm() -> impl Strategy<Value = Arm> {
    let findings = prop_oneof![4 => Just(Vec::new()), 1 => vec("[a-z]{0,3}", 1..3)];
    let reached = prop_oneof![4 => Just(true), 1 => Just(false)];
    (start(), twin(), reached, answer(), twin(), effects(), finish(), findings, "[a-z]{0,3}")
        .prop_map(|(start, before, reached, answer, after, effects, finish, findings, remarks)| {
            Arm {
                start,
                twin_before: before,
                reached,
                answer,
                twin_after: after,
                effects,
                finish,
                findings,
                remarks,
            }
        })
}

fn arbitrary_terms() -> impl Strategy<Value = Terms> {
    (
        option::of("[a-z]{0,3}"),
        btree_set(number(), 0..4),
        btree_set(number(), 0..4),
        btree_set(class(), 0..3),
        any::<bool>(),
        btree_set(number(), 0..3),
        btree_set(number(), 0..4),
        any::<bool>(),
        btree_set(finish(), 0..3),
    )
        .prop_map(|(gap, errnos, signals, exceptions, silent, absence, exits, hook, ends)| {
            Terms { gap, errnos, signals, exceptions, silent, absence, exits, hook, ends }
        })
}

/// Whether the stop is one that the terms name, written a second time and differently.
fn named(terms: &Terms, arm: &Arm) -> bool {
    match (&arm.answer, arm.finish) {
        (Answer::Done, Finish::Exited(0)) => terms.silent,
        (Answer::Errno(errno), Finish::Exited(0)) => terms.errnos.contains(errno),
        (Answer::Exception(class), Finish::Exited(0)) => terms.exceptions.contains(class),
        (Answer::Killed(signal), Finish::Signalled(by)) => {
            *signal == by && terms.signals.contains(signal)
        }
        (Answer::None, Finish::Exited(code)) => terms.exits.contains(&code),
        (
            Answer::None,
            Finish::TimedOut
            | Finish::OutputCapped
            | Finish::QuotaExceeded
            | Finish::CpuTimeExceeded,
        ) => terms.ends.contains(&arm.finish),
        (
            Answer::None
            | Answer::Done
            | Answer::Errno(_)
            | Answer::Exception(_)
            | Answer::Killed(_),
            Finish::NotStarted
            | Finish::Exited(_)
            | Finish::Signalled(_)
            | Finish::TimedOut
            | Finish::OutputCapped
            | Finish::QuotaExceeded
            | Finish::CpuTimeExceeded,
        ) => false,
    }
}

/// All premises of `Held`, written a second time and differently.
fn doubtless(terms: &Terms, control: &Arm, attempt: &Arm) -> bool {
    let fine = |arm: &Arm| {
        arm.start == Start::Started
            && arm.twin_before == Twin::Proved
            && arm.reached
            && arm.twin_after == Twin::Proved
            && arm.findings.is_empty()
    };
    fine(control)
        && fine(attempt)
        && !control.effects.is_empty()
        && attempt.effects.is_empty()
        && named(terms, attempt)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_effect_is_never_called_held(
        terms in arbitrary_terms(), control in arm(), attempt in arm(),
    ) {
        let effect = !attempt.effects.is_empty();
        let gap = terms.gap.is_some();
        let outcome = judge(&terms, &control, &attempt);
        prop_assert_eq!(matches!(outcome, Outcome::Escaped { .. }), effect && !gap);
        prop_assert_eq!(matches!(outcome, Outcome::Residue { .. }), effect && gap);
    }

    #[test]
    fn only_a_doubtless_trial_is_called_held(
        terms in arbitrary_terms(), control in arm(), attempt in arm(),
    ) {
        let held = doubtless(&terms, &control, &attempt);
        let outcome = judge(&terms, &control, &attempt);
        prop_assert_eq!(matches!(outcome, Outcome::Held { .. }), held && (terms.gap.is_none() || terms.hook));
        prop_assert_eq!(matches!(outcome, Outcome::Stale { .. }), held && terms.gap.is_some() && !terms.hook);
    }

    #[test]
    fn words_for_people_are_never_judged(
        terms in arbitrary_terms(), control in arm(), attempt in arm(), words: String,
    ) {
        let outcome = judge(&terms, &control, &attempt);
        let (mut louder, mut reworded) = (attempt.clone(), control.clone());
        louder.remarks.clone_from(&words);
        reworded.remarks.clone_from(&words);
        for effect in louder.effects.iter_mut().chain(&mut reworded.effects) {
            effect.detail.clone_from(&words);
        }
        prop_assert_eq!(outcome, judge(&terms, &reworded, &louder));
    }

    #[test]
    fn one_arbitrary_arm_holds_only_if_it_is_doubtless(other in arm(), first: bool) {
        let (terms, mut control, mut attempt) = (terms(), control(), attempt());
        prop_assert!(doubtless(&terms, &control, &attempt));
        if first { control = other } else { attempt = other }
        let held = matches!(judge(&terms, &control, &attempt), Outcome::Held { .. });
        prop_assert_eq!(held, doubtless(&terms, &control, &attempt));
    }
}
