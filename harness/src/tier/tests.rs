use super::sample::{Run, absent, case, cell, doubt, escaped, held, residue, run, stale};
use super::*;
use backends::protection::{Protection, Seen, State};
use proptest::prelude::*;
use reports::record::{Doubt, Flaw};

fn s0(reasons: &[(&str, Option<Runtime>, Why)]) -> Rung {
    Rung {
        tier: Some(Tier::S0),
        reasons: reasons.iter().map(|(name, runtime, why)| about(name, *runtime, *why)).collect(),
    }
}

/// Spoils a run that earns S1.
fn spoilt(spoil: impl FnOnce(&mut Run)) -> Rung {
    let mut run = run();
    assert_eq!(run.rung(), Rung { tier: Some(Tier::S1), reasons: BTreeSet::new() });
    spoil(&mut run);
    run.rung()
}

#[test]
fn one_cell_that_got_out_or_is_in_doubt_stands_in_the_way() {
    for (outcome, why) in [
        (escaped(), Why::Escaped),
        (residue(), Why::Residue),
        (doubt(Doubt::TwinAfter), Why::Inconclusive),
        (doubt(Doubt::NoRecord), Why::Inconclusive),
    ] {
        let rung = spoilt(|run| run.cell("fs-read/two", Runtime::Python).outcome = outcome);
        assert_eq!(rung, s0(&[("fs-read/two", Some(Runtime::Python), why)]));
    }
}

#[test]
fn an_absent_surface_and_a_stale_gap_stand_in_nobodys_way() {
    for outcome in [absent(), stale()] {
        let rung = spoilt(|run| run.cell("fs-read/two", Runtime::Python).outcome = outcome);
        assert_eq!(rung.tier, Some(Tier::S1));
    }
}

#[test]
fn what_the_rung_allows_as_residue_may_get_out_but_not_go_unrecorded() {
    let allowed = |outcome| {
        spoilt(|run| {
            let cell = run.cell("fs-read/two", Runtime::Native);
            (cell.bar, cell.outcome) = (Bar::Residue, outcome);
        })
    };
    for outcome in [escaped(), residue(), doubt(Doubt::TwinAfter)] {
        assert_eq!(allowed(outcome).tier, Some(Tier::S1));
    }
    let unrecorded = [("fs-read/two", Some(Runtime::Native), Why::Inconclusive)];
    assert_eq!(allowed(doubt(Doubt::NoRecord)), s0(&unrecorded));
}

#[test]
fn the_hook_column_neither_gives_nor_takes_a_rung_unless_it_was_not_run() {
    let with =
        |outcome| spoilt(|run| run.cells.push(cell("fs-read/two", Runtime::Python, true, outcome)));
    assert_eq!(with(escaped()).tier, Some(Tier::S1));
    assert_eq!(with(doubt(Doubt::TwinBefore)).tier, Some(Tier::S1));
    let unrecorded = [("fs-read/two", Some(Runtime::Python), Why::Inconclusive)];
    assert_eq!(with(doubt(Doubt::NoRecord)), s0(&unrecorded));
    let rescued = spoilt(|run| {
        run.cell("fs-read/two", Runtime::Python).outcome = escaped();
        run.cells.push(cell("fs-read/two", Runtime::Python, true, held()));
    });
    assert_eq!(rescued.tier, Some(Tier::S0));
}

#[test]
fn broken_useful_work_stands_in_the_way_with_the_hook_off_only() {
    let with = |hook, outcome| spoilt(|run| run.useful.push(case(Runtime::Python, hook, outcome)));
    let broken = UsefulOutcome::Broken { why: Flaw::Unproved };
    assert_eq!(with(false, broken.clone()), s0(&[("files", Some(Runtime::Python), Why::Broken)]));
    assert_eq!(with(true, broken).tier, Some(Tier::S1));
    let control = UsefulOutcome::Inconclusive { why: Flaw::Control };
    let inconclusive = s0(&[("files", Some(Runtime::Python), Why::Inconclusive)]);
    assert_eq!(with(false, control.clone()), inconclusive);
    assert_eq!(with(true, control).tier, Some(Tier::S1));
    assert_eq!(with(true, UsefulOutcome::Inconclusive { why: Flaw::NoRecord }), inconclusive);
}

#[test]
fn a_core_family_without_one_real_stop_is_vacuous() {
    let rung = spoilt(|run| {
        for cell in &mut run.cells {
            if cell.family() == "network" && cell.runtime == Runtime::Native {
                cell.outcome = absent();
            }
        }
    });
    assert_eq!(rung, s0(&[("network", Some(Runtime::Native), Why::NothingHeld)]));
    let rung = spoilt(|run| {
        run.cells.retain(|cell| cell.family() != "network" || cell.runtime != Runtime::Native);
    });
    assert_eq!(rung, s0(&[("network", Some(Runtime::Native), Why::NothingPlanned)]));
}

#[test]
fn a_stale_gap_was_stopped_and_fills_its_family_but_what_the_rung_allows_does_not() {
    let network = |change: fn(&mut JudgedCell)| {
        spoilt(|run| {
            run.cells.iter_mut().filter(|cell| cell.family() == "network").for_each(change);
        })
    };
    assert_eq!(network(|cell| cell.outcome = stale()).tier, Some(Tier::S1));
    let unplanned = |runtime| ("network", Some(runtime), Why::NothingPlanned);
    assert_eq!(
        network(|cell| cell.bar = Bar::Residue),
        s0(&[unplanned(Runtime::Native), unplanned(Runtime::Python)])
    );
}

#[test]
fn useful_work_with_the_hook_on_does_not_stand_for_the_rest() {
    let rung = spoilt(|run| {
        run.useful[1].hook = true;
    });
    assert_eq!(rung, s0(&[(USEFUL_WORK, Some(Runtime::Python), Why::NothingPlanned)]));
}

#[test]
fn useful_work_that_this_host_lacks_stands_in_nobodys_way_and_does_not_stand_for_the_rest() {
    let absent = || UsefulOutcome::NotApplicable { evidence: "no module zoneinfo".to_owned() };
    let more = spoilt(|run| run.useful.push(case(Runtime::Python, false, absent())));
    assert_eq!(more, Rung { tier: Some(Tier::S1), reasons: BTreeSet::new() });
    let alone = spoilt(|run| run.useful[1].outcome = absent());
    assert_eq!(alone, s0(&[(USEFUL_WORK, Some(Runtime::Python), Why::NothingPlanned)]));
}

#[test]
fn a_stop_with_the_hook_on_fills_no_family() {
    let rung = spoilt(|run| {
        for cell in &mut run.cells {
            cell.hook |= cell.family() == "plant" && cell.runtime == Runtime::Python;
        }
    });
    assert_eq!(rung, s0(&[("plant", Some(Runtime::Python), Why::NothingPlanned)]));
}

#[test]
fn native_code_may_lack_one_runtime_but_not_every_one() {
    let without = |runtimes: &[Runtime]| {
        spoilt(|run| {
            run.cells
                .retain(|cell| cell.family() != NATIVE_CODE || !runtimes.contains(&cell.runtime));
        })
    };
    assert_eq!(without(&[Runtime::Native]).tier, Some(Tier::S1));
    assert_eq!(without(&[Runtime::Python]).tier, Some(Tier::S1));
    let both = without(&[Runtime::Native, Runtime::Python]);
    assert_eq!(both, s0(&[(NATIVE_CODE, None, Why::NothingPlanned)]));
    let absent = spoilt(|run| {
        for cell in &mut run.cells {
            if cell.family() == NATIVE_CODE && cell.runtime == Runtime::Python {
                cell.outcome = absent();
            }
        }
    });
    assert_eq!(absent, s0(&[(NATIVE_CODE, Some(Runtime::Python), Why::NothingHeld)]));
}

#[test]
fn a_runtime_that_was_asked_for_needs_cells_and_useful_work() {
    let rung = spoilt(|run| {
        run.cells.retain(|cell| cell.runtime == Runtime::Native);
        run.useful.retain(|case| case.runtime == Runtime::Native);
    });
    let python = Some(Runtime::Python);
    let mut reasons: Vec<_> =
        CORE.iter().map(|family| (*family, python, Why::NothingPlanned)).collect();
    reasons.push((USEFUL_WORK, python, Why::NothingPlanned));
    assert_eq!(rung, s0(&reasons));
    let rung = spoilt(|run| {
        run.cells.retain(|cell| cell.runtime == Runtime::Native);
        run.useful.retain(|case| case.runtime == Runtime::Native);
        run.plan.runtimes.remove(&Runtime::Python);
    });
    assert_eq!(rung.tier, Some(Tier::S1));
}

#[test]
fn nothing_at_all_earns_nothing() {
    let rung = spoilt(|run| {
        run.cells.clear();
        run.useful.clear();
        run.plan.runtimes.clear();
    });
    let nothing = [("native", None, Why::NothingPlanned), (NATIVE_CODE, None, Why::NothingPlanned)];
    assert_eq!(rung, s0(&nothing));
}

#[test]
fn a_missing_protection_stands_in_the_way_by_name() {
    let rung = spoilt(|run| {
        run.backend.support.protections.push(Seen {
            protection: Protection::Network,
            state: State::Unavailable("ABI 3".to_owned()),
        });
    });
    assert_eq!(rung, s0(&[("network", None, Why::Unprotected)]));
}

#[test]
fn a_backend_without_mechanism_is_bare_whatever_it_held() {
    let rung = spoilt(|run| run.backend.mechanism = None);
    assert_eq!(rung, s0(&[("native", None, Why::NoMechanism)]));
}

#[test]
fn a_filtered_run_and_an_unavailable_backend_are_not_judged() {
    let filtered = spoilt(|run| run.plan.filtered = true);
    assert_eq!(filtered.tier, None);
    assert_eq!(filtered.reasons, BTreeSet::from([about("native", None, Why::Filtered)]));
    let unavailable = spoilt(|run| run.backend.unavailable = Some("no podman".to_owned()));
    assert_eq!(unavailable.tier, None);
    assert_eq!(unavailable.reasons, BTreeSet::from([about("native", None, Why::Unavailable)]));
}

proptest! {
    #[test]
    fn every_cell_that_was_not_stopped_costs_the_rung_in_any_order(
        choices in proptest::collection::vec((0_usize..24, 0_usize..6), 0..6), turn in 0_usize..24,
    ) {
        let outcomes =
            [held(), stale(), absent(), escaped(), residue(), doubt(Doubt::NoAnswer)];
        let mut run = run();
        for (index, choice) in choices {
            run.cells[index].outcome = outcomes[choice].clone();
        }
        let stopped = run.cells.iter().all(|cell| outcomes[..3].contains(&cell.outcome));
        let rung = run.rung();
        prop_assert!(stopped || rung.tier == Some(Tier::S0));
        run.cells.rotate_left(turn);
        prop_assert_eq!(run.rung(), rung);
    }
}
