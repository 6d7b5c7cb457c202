//! Each fact of a record is told in a line of its own, harmless and in a bounded number.

use super::*;
use crate::record::{Attempt, Bar, Control, Doubt, Effect, Terms};
use crate::sample::{inconclusive, mixed, outcomes, records};

fn arm() -> Arm {
    Arm {
        start: Start::Started,
        twin_before: Twin::Proved,
        reached: true,
        answer: Answer::Errno(13),
        twin_after: Twin::Proved,
        effects: Vec::new(),
        finish: Finish::Exited(0),
        findings: Vec::new(),
        remarks: String::new(),
    }
}

const ANSWERED: &str = "answer: errno 13; exited with 0";

#[test]
fn an_arm_of_which_nothing_is_amiss_is_its_answer_and_its_end() {
    assert_eq!(arm_lines(&arm()), [ANSWERED]);
    let refused = Arm { start: Start::Refused("no\nsandbox".to_owned()), ..arm() };
    assert_eq!(arm_lines(&refused), ["not started: no sandbox"]);
}

#[test]
fn each_thing_that_is_missing_is_told() {
    let before = Arm { twin_before: Twin::Missing, ..arm() };
    assert_eq!(arm_lines(&before), [ANSWERED, "the twin before the act was not proved"]);
    let unreached = Arm { reached: false, ..arm() };
    assert_eq!(arm_lines(&unreached), [ANSWERED, "the act was not reached"]);
    let after = Arm { twin_after: Twin::Missing, ..arm() };
    assert_eq!(arm_lines(&after), [ANSWERED, "the twin after the act was not proved"]);
}

#[test]
fn of_many_effects_and_findings_as_many_as_fit_are_told_and_the_rest_is_counted() {
    let told = |effects, findings| {
        let effect = Effect { kind: EffectKind::TokenLeaked, detail: "in\tout".to_owned() };
        let findings = vec!["left\r".to_owned(); findings];
        arm_lines(&Arm { effects: vec![effect; effects], findings, ..arm() })
    };
    let effect = format!("{}: in out", EffectKind::TokenLeaked.name());
    assert_eq!(told(1, 1), [effect.as_str(), "swept: left ", ANSWERED]);
    assert_eq!(told(MOST, MOST).len(), 2 * MOST + 1);
    for (effects, findings, more) in [(9, 8, 1), (8, 9, 1), (11, 12, 7), (100, 0, 92)] {
        let lines = told(effects, findings);
        let counted: Vec<&String> = lines.iter().filter(|line| line.starts_with("and ")).collect();
        assert_eq!(counted, [&format!("and {more} more")]);
        assert_eq!(lines.iter().filter(|line| **line == effect).count(), MOST);
    }
}

#[test]
fn what_a_program_wrote_stands_in_quotes_and_silence_is_no_line() {
    let wrote = |remarks: &str| arm_lines(&Arm { remarks: remarks.to_owned(), ..arm() });
    assert_eq!(wrote(" a\nb\u{1b} "), [ANSWERED, "it wrote: \u{ab}a b\u{fffd}\u{bb}"]);
    assert_eq!(wrote(" \n\t"), [ANSWERED]);
}

#[test]
fn every_answer_and_every_end_has_its_words() {
    let answers = [
        (Answer::None, "none"),
        (Answer::Done, "done"),
        (Answer::Errno(1), "errno 1"),
        (Answer::Exception("a\nb".to_owned()), "exception a b"),
        (Answer::Killed(31), "killed by signal 31"),
    ];
    for (told, words) in answers {
        assert_eq!(answer(&told), words);
    }
    let ends = [
        (Finish::NotStarted, "did not start"),
        (Finish::Exited(3), "exited with 3"),
        (Finish::Signalled(9), "ended by signal 9"),
        (Finish::TimedOut, "ran into its deadline"),
        (Finish::OutputCapped, "ran into its output cap"),
        (Finish::QuotaExceeded, "filled its run directory beyond its quota"),
        (Finish::CpuTimeExceeded, "ran out of CPU time"),
    ];
    for (end, words) in ends {
        assert_eq!(finish(end), words);
    }
}

#[test]
fn a_conclusion_is_told_with_what_it_rests_on() {
    let told = outcomes().map(|outcome| headline(&outcome));
    let name = |kind: EffectKind| kind.name();
    assert_eq!(
        told,
        [
            "held by EACCES".to_owned(),
            format!(
                "escaped: {}, {}",
                name(EffectKind::TokenLeaked),
                name(EffectKind::TreeChanged)
            ),
            format!("residue ({}): no mount namespace", name(EffectKind::ObjectHeld)),
            "stale: old kernel".to_owned(),
            "not-applicable: the control ended with ENOSYS".to_owned(),
            "inconclusive: twin-after".to_owned(),
        ]
    );
    let hostile = Outcome::Held { by: "a\n\u{202e}".to_owned() };
    assert_eq!(headline(&hostile), "held by a \u{fffd}");
}

#[test]
fn the_control_is_told_only_where_the_doubt_may_lie_with_it() {
    let cell = Cell {
        backend: "native".to_owned(),
        runtime: Runtime::Native,
        hook: false,
        escape: "fs-read/open".to_owned(),
    };
    let control = Arm { answer: Answer::Done, ..arm() };
    let (escape, runtime) = (cell.escape.clone(), cell.runtime);
    let records = [
        Record::Attempt(Attempt { cell: cell.clone(), terms: Terms::default(), arm: arm() }),
        Record::Control(Control { escape: escape.clone(), runtime, arm: control }),
    ];
    let judged = |outcome| JudgedCell {
        escape: escape.clone(),
        runtime,
        hook: false,
        bar: Bar::S1,
        outcome,
    };
    let details = Details::of(&records);
    let held = judged(Outcome::Held { by: "EACCES".to_owned() });
    let doubt = judged(Outcome::Inconclusive { why: Doubt::ControlTwin });
    assert_eq!(details.cell("native", &held), [ANSWERED]);
    assert_eq!(details.cell("native", &doubt), [ANSWERED, "control: answer: done; exited with 0"]);
    assert_eq!(details.cell("other", &held), [""; 0]);
    // A control belongs to every backend.
    assert_eq!(details.cell("other", &doubt), ["control: answer: done; exited with 0"]);
    let elsewhere = JudgedCell { runtime: Runtime::Python, ..judged(inconclusive()) };
    assert_eq!(details.cell("native", &elsewhere), [""; 0]);
}

#[test]
fn the_words_of_a_backend_and_of_useful_work_are_found_and_made_harmless() {
    let verdict = mixed();
    let records = records(&verdict, "why\nnot\u{7}");
    let details = Details::of(&records);
    let harmless = Some("why not\u{fffd}".to_owned());
    assert_eq!((details.warning("native"), details.warning("absent")), (harmless.clone(), None));
    assert_eq!((details.unavailable("native"), details.unavailable("wrapped")), (None, harmless));
    assert_eq!(details.missing("native"), ["network: why not\u{fffd}"]);
    assert_eq!(details.missing("absent"), [""; 0]);
    let case = &verdict.backends[0].useful[0];
    let told = "exited with 1, not proved; it wrote: \u{ab}why not\u{fffd}\u{bb}";
    let told = [format!("confined: {told}"), format!("control: {told}")];
    assert_eq!(details.useful("native", case), told);
    assert_eq!(details.useful("absent", case), [""; 0]);
    let proved =
        UsefulRun { finish: Finish::Exited(0), proved: true, absent: None, remark: String::new() };
    assert_eq!(useful_line(&proved), "exited with 0, proved");
}
