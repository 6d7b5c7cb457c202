use super::*;
use backends::protection::{Protection, Seen, State, Support};
use proptest::prelude::*;
use reports::record::{Doubt, EffectKind, Flaw};

const FAMILIES: [&str; 6] = ["exec", "fs-read", "fs-write", "network", "plant", NATIVE_CODE];

pub(super) fn held() -> Outcome {
    Outcome::Held { by: "EACCES".to_owned() }
}

pub(super) fn escaped() -> Outcome {
    Outcome::Escaped { evidence: BTreeSet::from([EffectKind::TokenLeaked]) }
}

pub(super) fn residue() -> Outcome {
    Outcome::Residue { reason: "declared".to_owned(), evidence: BTreeSet::new() }
}

pub(super) fn stale() -> Outcome {
    Outcome::Stale { reason: "declared".to_owned() }
}

fn absent() -> Outcome {
    Outcome::NotApplicable { evidence: "ENOSYS".to_owned() }
}

pub(super) fn doubt(why: Doubt) -> Outcome {
    Outcome::Inconclusive { why }
}

pub(super) fn cell(escape: &str, runtime: Runtime, hook: bool, outcome: Outcome) -> JudgedCell {
    JudgedCell { escape: escape.to_owned(), runtime, hook, bar: Bar::S1, outcome }
}

pub(super) fn case(runtime: Runtime, hook: bool, outcome: UsefulOutcome) -> JudgedUse {
    JudgedUse { case: "files".to_owned(), runtime, hook, outcome }
}

/// A run that earns S1, to be spoilt.
struct Run {
    backend: BackendFacts,
    plan: Plan,
    cells: Vec<JudgedCell>,
    useful: Vec<JudgedUse>,
}

impl Run {
    fn rung(&self) -> Rung {
        tier(&self.backend, &self.plan, &self.cells, &self.useful)
    }

    fn cell(&mut self, escape: &str, runtime: Runtime) -> &mut JudgedCell {
        self.cells
            .iter_mut()
            .find(|cell| {
                (cell.escape.as_str(), cell.runtime, cell.hook) == (escape, runtime, false)
            })
            .unwrap()
    }
}

fn run() -> Run {
    let runtimes = BTreeSet::from([Runtime::Native, Runtime::Python]);
    let each = |name: &str| {
        FAMILIES.map(|family| format!("{family}/{name}")).into_iter().flat_map(|escape| {
            [Runtime::Native, Runtime::Python].map(|runtime| cell(&escape, runtime, false, held()))
        })
    };
    Run {
        backend: BackendFacts {
            name: "native".to_owned(),
            mechanism: Some("landlock/7".to_owned()),
            support: Support {
                protections: vec![Seen { protection: Protection::Spawn, state: State::Active }],
            },
            commitment: None,
            artefact: None,
            warning: None,
            unavailable: None,
        },
        plan: Plan {
            cells: Vec::new(),
            useful: Vec::new(),
            catalogue: String::new(),
            program: String::new(),
            filtered: false,
            runtimes,
        },
        cells: each("one").chain(each("two")).collect(),
        useful: [Runtime::Native, Runtime::Python]
            .map(|runtime| case(runtime, false, UsefulOutcome::Works))
            .to_vec(),
    }
}

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
    assert_eq!(with(false, broken), s0(&[("files", Some(Runtime::Python), Why::Broken)]));
    assert_eq!(with(true, broken).tier, Some(Tier::S1));
    let control = UsefulOutcome::Inconclusive { why: Flaw::Control };
    let inconclusive = s0(&[("files", Some(Runtime::Python), Why::Inconclusive)]);
    assert_eq!(with(false, control), inconclusive);
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
