use super::sample::{ESCAPES, arm, attempt_of, host, plan_of, records};
use super::*;
use backends::tier::Tier;
use proptest::prelude::*;
use reports::record::{Answer, Control, Finish, Plan, Runtime};
use reports::verdict::{Obstacle, Why};

/// The conclusion on the backend `native` after something was changed in a run that earns S1.
fn native(change: impl FnOnce(&mut Vec<Record>)) -> BackendVerdict {
    let mut records = records("");
    assert_eq!(conclude(&records).unwrap().backends[0].tier, Some(Tier::S1));
    change(&mut records);
    conclude(&records).unwrap().backends.remove(0)
}

/// The refusal after something was changed in a run that gives a verdict.
fn refusal(change: impl FnOnce(&mut Vec<Record>)) -> String {
    let mut records = records("");
    assert!(conclude(&records).is_ok());
    change(&mut records);
    conclude(&records).unwrap_err().to_string()
}

fn obstacle(subject: &str, runtime: Option<Runtime>, why: Why) -> Obstacle {
    Obstacle { subject: subject.to_owned(), runtime, why }
}

fn position(records: &[Record], wanted: impl Fn(&Record) -> bool) -> usize {
    records.iter().position(wanted).unwrap()
}

#[test]
fn a_complete_run_earns_its_rung_and_names_its_residue() {
    let verdict = conclude(&records("")).unwrap();
    let [native, podman] = verdict.backends.as_slice() else { panic!("two backends") };
    assert_eq!((native.name.as_str(), native.tier), ("native", Some(Tier::S1)));
    assert_eq!(native.stands_in_the_way, []);
    assert_eq!(native.counts, Counts { held: 12, residue: 2, ..Counts::default() });
    assert_eq!(native.counts_with_hook, Counts { held: 6, residue: 1, ..Counts::default() });
    let residue: Vec<_> =
        native.residue.iter().map(|residue| (residue.escape.as_str(), residue.runtime)).collect();
    let stat = "metadata/stat";
    assert_eq!(residue, [(stat, Runtime::Native), (stat, Runtime::Python)]);
    assert_eq!(native.hook.hook_blind.iter().collect::<Vec<_>>(), [stat]);
    assert_eq!((podman.available, podman.tier), (false, None));
    assert_eq!(podman.stands_in_the_way, [obstacle("podman", None, Why::Unavailable)]);
}

#[test]
fn the_verdict_is_bound_to_five_digests() {
    let verdict = conclude(&records("")).unwrap();
    assert_eq!(verdict.digests.catalogue, "03");
    assert_eq!(verdict.digests.program, "04");
    assert_eq!(verdict.digests.host, host_digest(&host()));
    assert_eq!(verdict.backends[0].policy.as_deref(), Some("sha256:01"));
    assert_eq!(verdict.backends[0].artefact.as_deref(), Some("02"));
}

#[test]
fn two_runs_of_the_same_facts_give_the_same_bytes() {
    let (first, second) = (records("/tmp/a 4711 deadbeef"), records("/tmp/b\0]]>\u{1b}[2J"));
    assert_ne!(first, second);
    let bytes = conclude(&first).unwrap().canonical();
    assert_eq!(bytes, conclude(&second).unwrap().canonical());
    let text = String::from_utf8(bytes).unwrap();
    for trace in ["/tmp", "4711", "deadbeef", "stdout", "no podman"] {
        assert!(!text.contains(trace), "{trace}");
    }
    assert!(text.contains("\"escape\":\"fs-read/open\",\"hook\":false,\"outcome\":\"held\""));
}

#[test]
fn a_planned_cell_without_its_attempt_or_its_control_is_inconclusive() {
    let no_attempt = native(|records| {
        let wanted = |record: &Record| matches!(record, Record::Attempt(attempt) if attempt.cell.escape == "plant/hook");
        records.remove(position(records, wanted));
    });
    assert_eq!(no_attempt.tier, Some(Tier::S0));
    let inconclusive = [
        obstacle("plant/hook", Some(Runtime::Native), Why::Inconclusive),
        obstacle("plant", Some(Runtime::Native), Why::NothingHeld),
    ];
    assert!(inconclusive.iter().all(|reason| no_attempt.stands_in_the_way.contains(reason)));
    let no_control = native(|records| {
        let wanted = |record: &Record| matches!(record, Record::Control(control) if control.escape == "plant/hook");
        records.remove(position(records, wanted));
    });
    assert_eq!(no_control.stands_in_the_way, no_attempt.stands_in_the_way);
    let no_use = native(|records| {
        records.pop();
    });
    let files = obstacle("files", Some(Runtime::Python), Why::Inconclusive);
    assert_eq!(no_use.stands_in_the_way, [files]);
}

#[test]
fn an_effect_without_a_control_is_an_escape() {
    let verdict = native(|records| {
        attempt_of(records, "plant/hook").arm = arm("", true);
        let wanted = |record: &Record| matches!(record, Record::Control(control) if control.escape == "plant/hook");
        records.remove(position(records, wanted));
    });
    assert_eq!(verdict.counts.escaped, 1);
}

#[test]
fn an_escape_that_the_rung_allows_is_residue_without_a_declaration_too() {
    let verdict = native(|records| attempt_of(records, "metadata/stat").terms.gap = None);
    assert_eq!(verdict.tier, Some(Tier::S1));
    assert_eq!(verdict.counts.escaped, 1);
    assert_eq!(verdict.residue[0].reason, ALLOWED);
}

#[test]
fn an_escape_that_the_rung_does_not_allow_is_no_residue() {
    let verdict = native(|records| attempt_of(records, "plant/hook").arm = arm("", true));
    assert_eq!(verdict.counts.escaped, 1);
    assert!(verdict.residue.iter().all(|residue| residue.escape == "metadata/stat"));
    assert_eq!(verdict.residue.len(), 2);
}

#[test]
fn each_backend_is_judged_by_its_own_cells() {
    let mut records = records("");
    let text = serde_json::to_string(&records).unwrap();
    let other = text.replace("\"backend\":\"native\"", "\"backend\":\"other\"");
    let others: Vec<Record> = serde_json::from_str(&other).unwrap();
    for record in others {
        match record {
            Record::Plan(plan) => {
                plan_of(&mut records).cells.extend(plan.cells);
                plan_of(&mut records).useful.extend(plan.useful);
            }
            Record::Backend(facts) if facts.name == "native" => {
                records.push(Record::Backend(BackendFacts { name: "other".to_owned(), ..facts }));
            }
            Record::Attempt(mut attempt) => {
                if attempt.cell.escape == "plant/hook" {
                    attempt.arm = arm("", true);
                }
                records.push(Record::Attempt(attempt));
            }
            Record::Useful(useful) => records.push(Record::Useful(useful)),
            Record::Host(_) | Record::Backend(_) | Record::Control(_) => {}
        }
    }
    let verdict = conclude(&records).unwrap();
    let tiers: Vec<_> =
        verdict.backends.iter().map(|backend| (backend.name.as_str(), backend.tier)).collect();
    assert_eq!(tiers, [("native", Some(Tier::S1)), ("other", Some(Tier::S0)), ("podman", None)]);
    assert_eq!((verdict.backends[0].cells.len(), verdict.backends[1].cells.len()), (21, 21));
    assert_eq!((verdict.backends[0].useful.len(), verdict.backends[1].useful.len()), (3, 3));
}

#[test]
fn a_cell_that_is_absent_by_plan_needs_no_record_and_may_have_none() {
    let absent = |records: &mut Vec<Record>| {
        for planned in &mut plan_of(records).cells {
            if planned.cell.escape == "metadata/stat" {
                planned.absent = Some("not Linux".to_owned());
            }
        }
    };
    let refused = refusal(absent);
    assert_eq!(refused, "conclude: metadata/stat against native, native was not planned");
    let verdict = native(|records| {
        absent(records);
        records.retain(|record| match record {
            Record::Control(control) => control.escape != "metadata/stat",
            Record::Attempt(attempt) => attempt.cell.escape != "metadata/stat",
            Record::Host(_) | Record::Backend(_) | Record::Plan(_) | Record::Useful(_) => true,
        });
    });
    assert_eq!((verdict.tier, verdict.counts.not_applicable), (Some(Tier::S1), 2));
}

#[test]
fn nothing_may_be_recorded_twice() {
    for index in 0..records("").len() {
        let refused = refusal(|records| records.push(records[index].clone()));
        assert!(refused.ends_with("is there twice"), "{refused}");
    }
}

#[test]
fn the_host_the_plan_and_a_backend_must_be_recorded() {
    let without = |name: &str| {
        refusal(|records| {
            records.retain(|record| match record {
                Record::Host(_) => name != "the host",
                Record::Plan(_) => name != "the plan",
                Record::Backend(_) => name != "a backend",
                Record::Control(_) | Record::Attempt(_) | Record::Useful(_) => true,
            });
        })
    };
    for name in ["the host", "the plan", "a backend"] {
        assert_eq!(without(name), format!("conclude: no record of {name}"));
    }
    assert_eq!(conclude(&[]), Err(ConcludeError::NoHost));
}

#[test]
fn nothing_may_be_recorded_that_was_not_planned() {
    let other = "conclude: fs-read/other against native, native was not planned";
    assert_eq!(
        refusal(|records| attempt_of(records, ESCAPES[1]).cell.escape = "fs-read/other".to_owned()),
        other
    );
    let control = refusal(|records| {
        records.push(Record::Control(Control {
            escape: "fs-read/\u{1b}[2J".to_owned(),
            runtime: Runtime::Native,
            arm: arm("", true),
        }));
    });
    assert_eq!(control, "conclude: the control of fs-read/\u{fffd}[2J, native was not planned");
    let useful = refusal(|records| plan_of(records).useful.truncate(2));
    assert_eq!(useful, "conclude: files against native, python+hook was not planned");
}

#[test]
fn a_plan_must_fit_its_backends_and_runtimes() {
    type Change = fn(&mut Plan);
    let table: [(Change, &str); 6] = [
        (
            |plan| plan.cells[0].cell.backend = "podman".to_owned(),
            "exec/spawn against podman, native is planned against a backend that was not there",
        ),
        (
            |plan| plan.useful[0].backend = "nobody".to_owned(),
            "files against nobody, native is planned against a backend that was not there",
        ),
        (
            |plan| plan.cells[0].cell.hook = true,
            "exec/spawn against native, native+hook is planned for a runtime that was not asked for",
        ),
        (
            |plan| plan.runtimes.retain(|runtime| *runtime == Runtime::Native),
            "exec/spawn against native, python is planned for a runtime that was not asked for",
        ),
        (
            |plan| {
                plan.cells.clear();
                plan.useful.clear();
            },
            "nothing is planned against native",
        ),
        (
            |plan| plan.cells.push(plan.cells[0].clone()),
            "exec/spawn against native, native is there twice",
        ),
    ];
    for (change, told) in table {
        assert_eq!(refusal(|records| change(plan_of(records))), format!("conclude: {told}"));
    }
}

#[test]
fn what_is_judged_is_judged_by_the_judge() {
    let verdict = native(|records| {
        attempt_of(records, ESCAPES[0]).arm.answer = Answer::Errno(libc::ENOENT);
        attempt_of(records, ESCAPES[1]).arm.finish = Finish::TimedOut;
    });
    let why = |escape: &str| {
        verdict.cells.iter().find(|cell| cell.escape == escape).unwrap().outcome.clone()
    };
    assert_eq!(why(ESCAPES[0]), Outcome::Inconclusive { why: Doubt::OddAnswer });
    assert_eq!(why(ESCAPES[1]), Outcome::Inconclusive { why: Doubt::TimedOut });
}

proptest! {
    #[test]
    fn the_order_of_the_records_does_not_matter(shuffled in Just(records("")).prop_shuffle()) {
        prop_assert_eq!(
            conclude(&shuffled).unwrap().canonical(),
            conclude(&records("")).unwrap().canonical()
        );
    }
}

#[test]
fn no_record_can_be_lost_unnoticed_unless_its_act_got_out_anyhow() {
    let whole = conclude(&records("")).unwrap();
    for index in 0..records("").len() {
        let mut rest = records("");
        let lost = rest.remove(index);
        let got_out =
            matches!(&lost, Record::Control(control) if control.escape == "metadata/stat");
        assert_eq!(conclude(&rest).is_ok_and(|verdict| verdict == whole), got_out, "{lost:?}");
    }
}
