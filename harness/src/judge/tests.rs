//! The truth table.

use super::*;
use reports::record::Effect;

pub(super) fn effect(kind: EffectKind) -> Effect {
    Effect { kind, detail: "seen".to_owned() }
}

/// A control that proves that the act works.
pub(super) fn control() -> Arm {
    Arm {
        start: Start::Started,
        twin_before: Twin::Proved,
        reached: true,
        answer: Answer::Done,
        twin_after: Twin::Proved,
        effects: vec![effect(EffectKind::TokenLeaked)],
        finish: Finish::Exited(0),
        findings: Vec::new(),
        remarks: String::new(),
    }
}

/// An attempt that was stopped by a declared errno.
pub(super) fn attempt() -> Arm {
    Arm { answer: Answer::Errno(libc::EACCES), effects: Vec::new(), ..control() }
}

pub(super) fn terms() -> Terms {
    Terms {
        errnos: BTreeSet::from([libc::EACCES, libc::EPERM]),
        signals: BTreeSet::from([libc::SIGSYS]),
        exceptions: BTreeSet::from(["PermissionError".to_owned()]),
        absence: BTreeSet::from([libc::ENOSYS]),
        ..Terms::default()
    }
}

fn held(by: &str) -> Outcome {
    Outcome::Held { by: by.to_owned() }
}

fn doubt(why: Doubt) -> Outcome {
    Outcome::Inconclusive { why }
}

/// Changes one thing in a trial that is held, and judges it.
fn changed(change: impl FnOnce(&mut Terms, &mut Arm, &mut Arm)) -> Outcome {
    let (mut terms, mut control, mut attempt) = (terms(), control(), attempt());
    assert_eq!(judge(&terms, &control, &attempt), held("EACCES"));
    change(&mut terms, &mut control, &mut attempt);
    judge(&terms, &control, &attempt)
}

#[test]
fn every_way_to_stop_has_its_name() {
    let stop = |answer, finish| {
        changed(|_, _, attempt| (attempt.answer, attempt.finish) = (answer, finish))
    };
    assert_eq!(stop(Answer::Errno(libc::EPERM), Finish::Exited(0)), held("EPERM"));
    assert_eq!(stop(Answer::Killed(libc::SIGSYS), Finish::Signalled(libc::SIGSYS)), held("SIGSYS"));
    let exception = Answer::Exception("PermissionError".to_owned());
    assert_eq!(stop(exception, Finish::Exited(0)), held("PermissionError"));
    let silent = changed(|terms, _, attempt| {
        terms.silent = true;
        attempt.answer = Answer::Done;
    });
    assert_eq!(silent, held("silence"));
}

#[test]
fn a_number_without_a_name_is_told_as_a_number() {
    let odd = changed(|terms, _, attempt| {
        terms.errnos.insert(4000);
        attempt.answer = Answer::Errno(4000);
    });
    assert_eq!(odd, held("errno 4000"));
    let real_time = changed(|terms, _, attempt| {
        terms.signals.insert(40);
        attempt.answer = Answer::Killed(40);
        attempt.finish = Finish::Signalled(40);
    });
    assert_eq!(real_time, held("signal 40"));
}

#[test]
fn an_effect_is_an_escape_and_its_kinds_are_told_once() {
    let outcome = changed(|_, _, attempt| {
        attempt.effects = vec![
            effect(EffectKind::Contacted),
            effect(EffectKind::TokenLeaked),
            effect(EffectKind::Contacted),
        ];
    });
    let evidence = BTreeSet::from([EffectKind::TokenLeaked, EffectKind::Contacted]);
    assert_eq!(outcome, Outcome::Escaped { evidence });
}

#[test]
fn an_effect_in_a_declared_gap_is_residue() {
    let outcome = changed(|terms, _, attempt| {
        terms.gap = Some("no mount namespace".to_owned());
        attempt.effects.push(effect(EffectKind::ObjectHeld));
    });
    let evidence = BTreeSet::from([EffectKind::ObjectHeld]);
    assert_eq!(outcome, Outcome::Residue { reason: "no mount namespace".to_owned(), evidence });
}

#[test]
fn a_closed_gap_is_reported_as_stale() {
    let outcome = changed(|terms, _, _| terms.gap = Some("old kernel".to_owned()));
    assert_eq!(outcome, Outcome::Stale { reason: "old kernel".to_owned() });
}

#[test]
fn a_declared_gap_is_not_stale_when_in_doubt() {
    let outcome = changed(|terms, _, attempt| {
        terms.gap = Some("old kernel".to_owned());
        attempt.twin_after = Twin::Missing;
    });
    assert_eq!(outcome, doubt(Doubt::TwinAfter));
}

#[test]
fn an_effect_wins_over_a_broken_control() {
    let outcome = changed(|_, control, attempt| {
        control.start = Start::Refused("no memory".to_owned());
        control.effects.clear();
        attempt.effects.push(effect(EffectKind::VictimChanged));
        attempt.findings.push("a process is left".to_owned());
    });
    let evidence = BTreeSet::from([EffectKind::VictimChanged]);
    assert_eq!(outcome, Outcome::Escaped { evidence });
}

#[test]
fn a_surface_that_the_control_proves_absent_is_not_applicable() {
    let outcome = changed(|_, control, attempt| {
        control.effects.clear();
        control.answer = Answer::Errno(libc::ENOSYS);
        attempt.answer = Answer::Errno(libc::ENOSYS);
    });
    assert_eq!(
        outcome,
        Outcome::NotApplicable { evidence: "the control ended with ENOSYS".to_owned() }
    );
}

#[test]
fn absence_is_not_proved_by_another_errno_nor_by_a_broken_instrument() {
    let absent = |control: &mut Arm, errno| {
        control.effects.clear();
        control.answer = Answer::Errno(errno);
    };
    let other = changed(|_, control, _| absent(control, libc::ENOENT));
    assert_eq!(other, doubt(Doubt::ControlWithoutEffect));
    let broken = changed(|_, control, _| {
        absent(control, libc::ENOSYS);
        control.twin_after = Twin::Missing;
    });
    assert_eq!(broken, doubt(Doubt::ControlTwin));
    let unreached = changed(|_, control, _| {
        absent(control, libc::ENOSYS);
        control.reached = false;
    });
    assert_eq!(unreached, doubt(Doubt::ControlNotReached));
}

#[test]
fn a_control_without_effect_proves_nothing() {
    let outcome = changed(|_, control, _| control.effects.clear());
    assert_eq!(outcome, doubt(Doubt::ControlWithoutEffect));
}

#[test]
fn every_missing_premise_has_its_doubt() {
    type Change = fn(&mut Terms, &mut Arm, &mut Arm);
    let table: [(Change, Doubt); 22] = [
        (|_, c, _| c.start = Start::Refused(String::new()), Doubt::ControlNotStarted),
        (|_, c, _| c.twin_before = Twin::Missing, Doubt::ControlTwin),
        (|_, c, _| c.twin_after = Twin::Missing, Doubt::ControlTwin),
        (|_, c, _| c.reached = false, Doubt::ControlNotReached),
        (|_, c, _| c.effects.clear(), Doubt::ControlWithoutEffect),
        (|_, c, _| c.findings.push("left".to_owned()), Doubt::Swept),
        (|_, _, a| a.findings.push("left".to_owned()), Doubt::Swept),
        (|_, _, a| a.start = Start::Refused(String::new()), Doubt::NotStarted),
        (|_, _, a| a.finish = Finish::NotStarted, Doubt::NotStarted),
        (|_, _, a| a.twin_before = Twin::Missing, Doubt::TwinBefore),
        (|_, _, a| a.reached = false, Doubt::NotReached),
        (|_, _, a| a.finish = Finish::TimedOut, Doubt::TimedOut),
        (|_, _, a| a.finish = Finish::OutputCapped, Doubt::OutputCapped),
        (|_, _, a| a.finish = Finish::QuotaExceeded, Doubt::QuotaExceeded),
        (|_, _, a| a.finish = Finish::CpuTimeExceeded, Doubt::CpuTimeExceeded),
        (|_, _, a| a.answer = Answer::None, Doubt::NoAnswer),
        (|_, _, a| a.answer = Answer::Done, Doubt::OddAnswer),
        (|_, _, a| a.answer = Answer::Errno(libc::ENOENT), Doubt::OddAnswer),
        (|_, _, a| a.answer = Answer::Exception("KeyError".to_owned()), Doubt::OddAnswer),
        (|_, _, a| a.finish = Finish::Exited(1), Doubt::OddFinish),
        (|_, _, a| a.finish = Finish::Signalled(libc::SIGSYS), Doubt::OddFinish),
        (|_, _, a| a.twin_after = Twin::Missing, Doubt::TwinAfter),
    ];
    for (number, (change, why)) in table.into_iter().enumerate() {
        assert_eq!(changed(change), doubt(why), "row {number}");
    }
}

#[test]
fn a_kill_stops_only_by_a_declared_signal_that_was_seen_outside() {
    let kill = |said: i32, finish| {
        changed(|_, _, attempt| {
            (attempt.answer, attempt.finish) = (Answer::Killed(said), finish);
        })
    };
    assert_eq!(kill(libc::SIGSYS, Finish::Signalled(libc::SIGSYS)), held("SIGSYS"));
    let undeclared = kill(libc::SIGSEGV, Finish::Signalled(libc::SIGSEGV));
    assert_eq!(undeclared, doubt(Doubt::OddAnswer));
    assert_eq!(kill(libc::SIGSYS, Finish::Exited(0)), doubt(Doubt::OddFinish));
    assert_eq!(kill(libc::SIGSYS, Finish::Signalled(libc::SIGKILL)), doubt(Doubt::OddFinish));
}

#[test]
fn a_death_without_a_word_is_no_stop() {
    let outcome = changed(|_, _, attempt| {
        (attempt.answer, attempt.finish) = (Answer::None, Finish::Signalled(libc::SIGSYS));
    });
    assert_eq!(outcome, doubt(Doubt::NoAnswer));
}

#[test]
fn an_exit_code_stops_an_act_only_if_the_terms_name_it_and_no_answer_came() {
    let ended = |known: bool, answer| {
        changed(|terms, _, attempt| {
            terms.exits.extend(known.then_some(86));
            (attempt.answer, attempt.finish) = (answer, Finish::Exited(86));
        })
    };
    assert_eq!(ended(true, Answer::None), held("exit 86"));
    assert_eq!(ended(false, Answer::None), doubt(Doubt::NoAnswer));
    assert_eq!(ended(true, Answer::Errno(libc::EACCES)), doubt(Doubt::OddFinish));
}

#[test]
fn a_limit_stops_an_act_only_if_the_act_was_to_exceed_it_and_no_answer_came() {
    let ended = |tried: &[Finish], answer: Answer, finish| {
        changed(|terms, _, attempt| {
            terms.ends.extend(tried);
            (attempt.answer, attempt.finish) = (answer, finish);
        })
    };
    for (finish, by, why) in [
        (Finish::TimedOut, "limit wall-clock", Doubt::TimedOut),
        (Finish::OutputCapped, "limit output-cap", Doubt::OutputCapped),
        (Finish::QuotaExceeded, "limit run-directory-quota", Doubt::QuotaExceeded),
        (Finish::CpuTimeExceeded, "limit cpu-time", Doubt::CpuTimeExceeded),
    ] {
        assert_eq!(ended(&[finish], Answer::None, finish), held(by));
        assert_eq!(ended(&[], Answer::None, finish), doubt(why));
        assert_eq!(ended(&[finish], Answer::Done, finish), doubt(why));
    }
    let other = ended(&[Finish::OutputCapped], Answer::None, Finish::TimedOut);
    assert_eq!(other, doubt(Doubt::TimedOut));
}

#[test]
fn what_the_hook_holds_does_not_make_a_gap_of_the_backend_stale() {
    let with_gap = |hook| {
        changed(|terms, _, _| {
            terms.gap = Some("reason".to_owned());
            terms.hook = hook;
        })
    };
    assert_eq!(with_gap(true), held("EACCES"));
    assert_eq!(with_gap(false), Outcome::Stale { reason: "reason".to_owned() });
}
