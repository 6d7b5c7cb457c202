//! The depth map: which layers stop an escape alone, as the cells of backends show that are one layer.

use super::gather::Run;
use reports::record::{Outcome, Runtime};
use reports::verdict::{BackendVerdict, Depth};
use std::collections::{BTreeMap, BTreeSet};

/// The layer that no backend is made of alone: the audit hook of Python, seen on a bare process.
const HOOK: &str = "hook";

/// A row for each escape and runtime that was tried against at least one single layer.
pub(super) fn depth(run: &Run<'_>, backends: &[BackendVerdict]) -> Vec<Depth> {
    let mut rows: BTreeMap<(&str, Runtime), Depth> = BTreeMap::new();
    for backend in backends {
        let Some(facts) = run.backends.get(backend.name.as_str()) else { continue };
        for cell in &backend.cells {
            let layer = match (&facts.layer, &facts.mechanism, cell.hook) {
                (Some(layer), _, false) => layer.as_str(),
                (None, None, true) => HOOK,
                (Some(_), _, true) | (None, Some(_), _) | (None, None, false) => continue,
            };
            let row = rows.entry((&cell.escape, cell.runtime)).or_insert_with(|| Depth {
                escape: cell.escape.clone(),
                runtime: cell.runtime,
                stopped_by: BTreeSet::new(),
                passes: BTreeSet::new(),
                unclear: BTreeSet::new(),
            });
            let list = match cell.outcome {
                Outcome::Held { .. } | Outcome::Stale { .. } => &mut row.stopped_by,
                Outcome::Escaped { .. } | Outcome::Residue { .. } => &mut row.passes,
                Outcome::Inconclusive { .. } => &mut row.unclear,
                Outcome::NotApplicable { .. } => continue,
            };
            list.insert(layer.to_owned());
        }
    }
    let tried = |row: &Depth| {
        !(row.stopped_by.is_empty() && row.passes.is_empty() && row.unclear.is_empty())
    };
    let single = |row: &Depth| {
        [&row.stopped_by, &row.passes, &row.unclear]
            .into_iter()
            .flatten()
            .any(|layer| layer != HOOK)
    };
    rows.into_values().filter(|row| tried(row) && single(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::conclude;
    use super::super::sample::{ESCAPES, RUNTIMES, arm, plan_of, records};
    use backends::protection::Support;
    use reports::record::{Attempt, BackendFacts, Cell, PlannedCell, Record, Terms};
    use reports::verdict::Depth;
    use std::collections::BTreeSet;

    /// Adds a backend whose every cell lets its escape through, unless it is the one that is `held`.
    fn add(records: &mut Vec<Record>, name: &str, layer: Option<&str>, hook: bool, held: &str) {
        let planned: Vec<PlannedCell> = plan_of(records)
            .cells
            .iter()
            .filter(|planned| planned.cell.backend == "native" && planned.cell.hook == hook)
            .map(|planned| PlannedCell {
                cell: Cell { backend: name.to_owned(), ..planned.cell.clone() },
                ..planned.clone()
            })
            .collect();
        plan_of(records).cells.extend(planned.iter().cloned());
        records.push(Record::Backend(BackendFacts {
            name: name.to_owned(),
            mechanism: layer.map(str::to_owned),
            layer: layer.map(str::to_owned),
            support: Support { protections: Vec::new() },
            keeps_limits: false,
            commitment: None,
            artefact: None,
            warning: None,
            unavailable: None,
        }));
        for PlannedCell { cell, .. } in planned {
            let terms = Terms { errnos: BTreeSet::from([libc::EACCES]), ..Terms::default() };
            let arm = arm("", cell.escape != held);
            records.push(Record::Attempt(Attempt { cell, terms, arm }));
        }
    }

    fn words(set: &BTreeSet<String>) -> Vec<&str> {
        set.iter().map(String::as_str).collect()
    }

    #[test]
    fn the_map_says_which_single_layers_stop_an_escape_and_which_let_it_through() {
        let mut records = records("");
        assert_eq!(conclude(&records).unwrap().depth, []);
        add(&mut records, "one", Some("one"), false, "exec/spawn");
        add(&mut records, "two", Some("two"), false, "fs-read/open");
        add(&mut records, "bare", None, true, "exec/spawn");
        let verdict = conclude(&records).unwrap();
        assert_eq!(verdict.depth.len(), ESCAPES.len() * RUNTIMES.len());
        let row = |escape: &str, runtime: &str| -> &Depth {
            let is = |row: &&Depth| row.escape == escape && row.runtime.name() == runtime;
            verdict.depth.iter().find(is).unwrap()
        };
        assert_eq!(words(&row("exec/spawn", "native").stopped_by), ["one"]);
        assert_eq!(words(&row("exec/spawn", "native").passes), ["two"]);
        assert_eq!(words(&row("exec/spawn", "python").stopped_by), ["hook", "one"]);
        assert_eq!(words(&row("fs-read/open", "python").stopped_by), ["two"]);
        assert_eq!(words(&row("fs-read/open", "python").passes), ["hook", "one"]);
        assert_eq!(words(&row("network/loopback", "native").passes), ["one", "two"]);
    }

    #[test]
    fn a_bare_process_alone_makes_no_map_and_an_unshown_cell_is_unclear() {
        let mut records = records("");
        add(&mut records, "bare", None, true, "exec/spawn");
        assert_eq!(conclude(&records).unwrap().depth, []);
        add(&mut records, "one", Some("one"), false, "exec/spawn");
        records.retain(|record| match record {
            Record::Attempt(attempt) => {
                attempt.cell.backend != "one" || attempt.cell.escape != "exec/spawn"
            }
            Record::Host(_)
            | Record::Backend(_)
            | Record::Plan(_)
            | Record::Control(_)
            | Record::Useful(_) => true,
        });
        let depth = conclude(&records).unwrap().depth;
        let row = depth.iter().find(|row| row.escape == "exec/spawn").unwrap();
        assert_eq!(words(&row.unclear), ["one"]);
        assert!(row.stopped_by.is_empty() && row.passes.is_empty());
    }
}
