//! A run for the tests that earns S1, and the outcomes to spoil it with.

use super::{NATIVE_CODE, Rung, tier};
use backends::protection::{Protection, Seen, State, Support};
use reports::record::{
    BackendFacts, Bar, Doubt, EffectKind, Outcome, Plan, Runtime, UsefulOutcome,
};
use reports::verdict::{JudgedCell, JudgedUse};
use std::collections::BTreeSet;

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

pub(super) fn absent() -> Outcome {
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
pub(super) struct Run {
    pub(super) backend: BackendFacts,
    pub(super) plan: Plan,
    pub(super) cells: Vec<JudgedCell>,
    pub(super) useful: Vec<JudgedUse>,
}

impl Run {
    pub(super) fn rung(&self) -> Rung {
        tier(&self.backend, &self.plan, &self.cells, &self.useful)
    }

    pub(super) fn cell(&mut self, escape: &str, runtime: Runtime) -> &mut JudgedCell {
        self.cells
            .iter_mut()
            .find(|cell| {
                (cell.escape.as_str(), cell.runtime, cell.hook) == (escape, runtime, false)
            })
            .unwrap()
    }
}

pub(super) fn run() -> Run {
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
            layer: None,
            support: Support {
                protections: vec![Seen { protection: Protection::Spawn, state: State::Active }],
            },
            keeps_limits: true,
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
