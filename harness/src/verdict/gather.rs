//! Puts the records of a run in their places and refuses what does not fit together.

use reports::record::{
    Arm, Attempt, BackendFacts, Cell, Column, HostFacts, Plan, PlannedCell, Record, Runtime,
    Useful, UsefulCell,
};
use reports::text;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// The records of one run, each in its place.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) host: &'a HostFacts,
    pub(super) plan: &'a Plan,
    pub(super) backends: BTreeMap<&'a str, &'a BackendFacts>,
    pub(super) cells: BTreeMap<&'a Cell, &'a PlannedCell>,
    pub(super) useful_cells: BTreeSet<&'a UsefulCell>,
    pub(super) controls: BTreeMap<(&'a str, Runtime), &'a Arm>,
    pub(super) attempts: BTreeMap<&'a Cell, &'a Attempt>,
    pub(super) useful: BTreeMap<&'a UsefulCell, &'a Useful>,
}

/// Why records give no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConcludeError {
    /// The host is not recorded.
    #[error("conclude: no record of the host")]
    NoHost,
    /// The plan is not recorded.
    #[error("conclude: no record of the plan")]
    NoPlan,
    /// No backend is recorded.
    #[error("conclude: no record of a backend")]
    NoBackend,
    /// Something is recorded or planned more than once.
    #[error("conclude: {what} is there twice")]
    Twice {
        /// What.
        what: String,
    },
    /// Something is recorded that was not planned.
    #[error("conclude: {what} was not planned")]
    Unplanned {
        /// What.
        what: String,
    },
    /// Something is planned against a backend that is not recorded, or that cannot be used.
    #[error("conclude: {what} is planned against a backend that was not there")]
    NoSuchBackend {
        /// What.
        what: String,
    },
    /// Something is planned for a runtime that was not asked for, or with a hook that no native
    /// program has.
    #[error("conclude: {what} is planned for a runtime that was not asked for")]
    NoSuchRuntime {
        /// What.
        what: String,
    },
    /// A backend that can be used has no cell and no useful work, so that it would be judged by nothing.
    #[error("conclude: nothing is planned against {backend}")]
    NothingPlanned {
        /// The backend's name.
        backend: String,
    },
}

impl<'a> Run<'a> {
    pub(super) fn gather(records: &'a [Record]) -> Result<Self, ConcludeError> {
        let (mut host, mut plan) = (None, None);
        let mut backends = BTreeMap::new();
        let (mut controls, mut attempts) = (BTreeMap::new(), BTreeMap::new());
        let mut useful = BTreeMap::new();
        for record in records {
            match record {
                Record::Host(facts) => once(&mut host, facts, "the host")?,
                Record::Plan(facts) => once(&mut plan, facts, "the plan")?,
                Record::Backend(facts) => {
                    insert(&mut backends, facts.name.as_str(), facts, &facts.name)?;
                }
                Record::Control(control) => {
                    let key = (control.escape.as_str(), control.runtime);
                    insert(&mut controls, key, &control.arm, control_name(key))?;
                }
                Record::Attempt(attempt) => {
                    insert(&mut attempts, &attempt.cell, attempt, &attempt.cell)?;
                }
                Record::Useful(case) => insert(&mut useful, &case.cell, case, &case.cell)?,
            }
        }
        let host = host.ok_or(ConcludeError::NoHost)?;
        let plan = plan.ok_or(ConcludeError::NoPlan)?;
        if backends.is_empty() {
            return Err(ConcludeError::NoBackend);
        }
        let (cells, useful_cells) = planned(plan)?;
        let run = Self { host, plan, backends, cells, useful_cells, controls, attempts, useful };
        run.check_plan()?;
        run.check_records()?;
        Ok(run)
    }

    /// Whether the plan fits the backends and the runtimes.
    fn check_plan(&self) -> Result<(), ConcludeError> {
        let cells = self.cells.keys().map(|cell| (&cell.backend, column(cell), told(cell)));
        let useful = self.useful_cells.iter().map(|cell| {
            let column = Column { runtime: cell.runtime, hook: cell.hook };
            (&cell.backend, column, told(cell))
        });
        for (backend, column, what) in cells.chain(useful) {
            let known = self.backends.get(backend.as_str());
            if known.is_none_or(|facts| facts.unavailable.is_some()) {
                return Err(ConcludeError::NoSuchBackend { what });
            }
            let asked = self.plan.runtimes.contains(&column.runtime);
            if !asked || (column.hook && column.runtime == Runtime::Native) {
                return Err(ConcludeError::NoSuchRuntime { what });
            }
        }
        for (name, facts) in &self.backends {
            let planned = self.cells.keys().any(|cell| cell.backend == *name)
                || self.useful_cells.iter().any(|cell| cell.backend == *name);
            if facts.unavailable.is_none() && !planned {
                return Err(ConcludeError::NothingPlanned { backend: told(name) });
            }
        }
        Ok(())
    }

    /// Whether everything that was recorded was planned.
    fn check_records(&self) -> Result<(), ConcludeError> {
        let unplanned = |what: String| Err(ConcludeError::Unplanned { what: text::line(&what) });
        let runs = |planned: &&PlannedCell| planned.absent.is_none();
        for cell in self.attempts.keys() {
            if !self.cells.get(cell).is_some_and(runs) {
                return unplanned(cell.to_string());
            }
        }
        let escapes: BTreeSet<_> = self
            .cells
            .values()
            .copied()
            .filter(runs)
            .map(|planned| (planned.cell.escape.as_str(), planned.cell.runtime))
            .collect();
        if let Some(key) = self.controls.keys().find(|key| !escapes.contains(key)) {
            return unplanned(control_name(*key));
        }
        if let Some(cell) = self.useful.keys().find(|cell| !self.useful_cells.contains(*cell)) {
            return unplanned(cell.to_string());
        }
        Ok(())
    }
}

type Planned<'a> = (BTreeMap<&'a Cell, &'a PlannedCell>, BTreeSet<&'a UsefulCell>);

fn planned(plan: &Plan) -> Result<Planned<'_>, ConcludeError> {
    let mut cells = BTreeMap::new();
    for planned in &plan.cells {
        insert(&mut cells, &planned.cell, planned, &planned.cell)?;
    }
    let mut useful = BTreeSet::new();
    for cell in &plan.useful {
        if !useful.insert(cell) {
            return Err(ConcludeError::Twice { what: told(cell) });
        }
    }
    Ok((cells, useful))
}

fn column(cell: &Cell) -> Column {
    Column { runtime: cell.runtime, hook: cell.hook }
}

/// A name out of the records, made harmless.
fn told(what: impl ToString) -> String {
    text::line(&what.to_string())
}

fn control_name((escape, runtime): (&str, Runtime)) -> String {
    format!("the control of {escape}, {}", runtime.name())
}

fn once<'a, T>(place: &mut Option<&'a T>, facts: &'a T, what: &str) -> Result<(), ConcludeError> {
    match place.replace(facts) {
        None => Ok(()),
        Some(_) => Err(ConcludeError::Twice { what: told(what) }),
    }
}

fn insert<Key: Ord, Value>(
    map: &mut BTreeMap<Key, Value>,
    key: Key,
    value: Value,
    what: impl ToString,
) -> Result<(), ConcludeError> {
    match map.entry(key) {
        Entry::Vacant(place) => {
            place.insert(value);
            Ok(())
        }
        Entry::Occupied(_) => Err(ConcludeError::Twice { what: told(what) }),
    }
}

#[cfg(test)]
mod tests {
    use crate::verdict::sample::{plan_of, records};
    use crate::verdict::{ConcludeError, conclude};
    use reports::record::Record;

    #[test]
    fn a_filter_may_leave_useful_work_alone() {
        let mut records = records("");
        records.retain(|record| !matches!(record, Record::Control(_) | Record::Attempt(_)));
        plan_of(&mut records).cells.clear();
        plan_of(&mut records).filtered = true;
        let verdict = conclude(&records).unwrap();
        assert_eq!((verdict.backends[0].tier, verdict.backends[0].useful.len()), (None, 3));
    }

    #[test]
    fn what_is_planned_against_one_backend_is_not_planned_against_another() {
        let mut useful_alone = records("");
        plan_of(&mut useful_alone).cells.clear();
        useful_alone.retain(|record| !matches!(record, Record::Control(_) | Record::Attempt(_)));
        let mut cells_alone = records("");
        plan_of(&mut cells_alone).useful.clear();
        cells_alone.retain(|record| !matches!(record, Record::Useful(_)));
        for mut records in [useful_alone, cells_alone, records("")] {
            assert!(conclude(&records).is_ok());
            for record in &mut records {
                if let Record::Backend(facts) = record {
                    facts.unavailable = None;
                }
            }
            let refused = ConcludeError::NothingPlanned { backend: "podman".to_owned() };
            assert_eq!(conclude(&records), Err(refused));
        }
    }
}
