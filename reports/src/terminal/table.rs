//! The table of one backend: a row a family, a column for each runtime and hook.

use crate::record::Column;
use crate::text;
use crate::verdict::{BackendVerdict, Counts};
use comfy_table::{Table, presets};
use std::collections::{BTreeMap, BTreeSet};

/// The row of the useful work, beside the families.
const USEFUL_WORK: &str = "useful work";

/// The table, or nothing where there is no cell.
pub(super) fn of(backend: &BackendVerdict) -> Option<String> {
    let mut families: BTreeMap<&str, BTreeMap<Column, Vec<_>>> = BTreeMap::new();
    for cell in &backend.cells {
        let column = Column { runtime: cell.runtime, hook: cell.hook };
        let family = families.entry(cell.family()).or_default();
        family.entry(column).or_default().push(&cell.outcome);
    }
    let mut work: BTreeMap<Column, BTreeMap<&str, u32>> = BTreeMap::new();
    for case in &backend.useful {
        let column = Column { runtime: case.runtime, hook: case.hook };
        *work.entry(column).or_default().entry(case.outcome.name()).or_default() += 1;
    }
    let columns: BTreeSet<Column> =
        families.values().flat_map(BTreeMap::keys).chain(work.keys()).copied().collect();
    if columns.is_empty() {
        return None;
    }
    let mut table = Table::new();
    table.load_preset(presets::ASCII_NO_BORDERS);
    let heading = columns.iter().map(ToString::to_string);
    table.set_header(std::iter::once("family".to_owned()).chain(heading));
    for (family, outcomes) in families {
        let counted = |column| {
            let counts = Counts::of(outcomes.get(column).into_iter().flatten().copied());
            told(counts.named())
        };
        let cells = columns.iter().map(counted);
        table.add_row(std::iter::once(text::line(family)).chain(cells));
    }
    if !work.is_empty() {
        let counted = |column| told(work.get(column).cloned().unwrap_or_default());
        let cells = columns.iter().map(counted);
        table.add_row(std::iter::once(USEFUL_WORK.to_owned()).chain(cells));
    }
    Some(table.trim_fmt())
}

/// The counts that are not 0, a line each.
fn told<'a>(counts: impl IntoIterator<Item = (&'a str, u32)>) -> String {
    let lines: Vec<String> = counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    if lines.is_empty() { "-".to_owned() } else { lines.join("\n") }
}
