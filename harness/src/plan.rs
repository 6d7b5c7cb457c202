//! What a run is to do, decided before anything runs: the truth about coverage. What this host lacks
//! is decided here too, with its evidence.

use crate::escape::{Escape, Need};
use crate::useful::{Program, UsefulWork, Work};
use reports::record::{BackendFacts, Cell, PlannedCell, Runtime};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;
use std::path::Path;

/// Which part of the catalogue is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only escapes and useful work whose id holds this text.
    pub filter: Option<String>,
}

impl Selection {
    /// Whether an id is wanted.
    pub fn takes(&self, id: &str) -> bool {
        self.filter.as_deref().is_none_or(|filter| id.contains(filter))
    }
}

/// Whether the audit hook is on, column by column, for a runtime.
pub fn columns(runtime: Runtime) -> &'static [bool] {
    match runtime {
        Runtime::Native => &[false],
        Runtime::Python => &[false, true],
    }
}

/// Whether a runtime can carry an escape.
pub fn carries(escape: &Escape, runtime: Runtime) -> bool {
    match runtime {
        Runtime::Native => escape.native.is_some(),
        Runtime::Python => escape.python.is_some(),
    }
}

/// Plans the cells of every backend that can be used. `lacks` says why this host cannot do what an act
/// needs.
pub fn cells<'a>(
    escapes: &[&Escape],
    backends: impl IntoIterator<Item = &'a BackendFacts>,
    runtimes: &[Runtime],
    selection: &Selection,
    lacks: impl Fn(Need) -> Option<String>,
) -> Vec<PlannedCell> {
    let mut cells = Vec::new();
    for backend in backends.into_iter().filter(|backend| backend.unavailable.is_none()) {
        for escape in escapes.iter().filter(|escape| selection.takes(escape.id)) {
            let absent = escape.needs.iter().find_map(|need| lacks(*need));
            for runtime in runtimes.iter().filter(|runtime| carries(escape, **runtime)) {
                for hook in columns(*runtime) {
                    let cell = Cell {
                        backend: backend.name.clone(),
                        runtime: *runtime,
                        hook: *hook,
                        escape: escape.id.to_owned(),
                    };
                    cells.push(PlannedCell { cell, bar: escape.bar, absent: absent.clone() });
                }
            }
        }
    }
    cells
}

/// The digest of a whole catalogue: what every escape and every piece of useful work tries, needs and is held
/// to. Two runs with one digest tried the same. Where an act is known from (its techniques and references)
/// decides nothing of a trial and may be found out later, so it is left out; what is machine code is part of
/// the program's digest.
pub fn catalogue_digest(escapes: &[&Escape], useful: &[&UsefulWork]) -> String {
    let mut digest = Sha256::new();
    for escape in escapes {
        let line = format!(
            "{}\0{}\0{:?}\0{:?}\0{:?}\0{:?}\0{:?}\0{:?}\0{:?}\0{:?}\0{}\0{}\0{}\n",
            escape.id,
            escape.summary,
            escape.bar,
            escape.needs,
            escape.decoys,
            escape.stops,
            escape.witnesses,
            escape.silent,
            escape.absent,
            escape.twin,
            escape.limit.map(|limit| limit.told()).unwrap_or_default(),
            escape.native.is_some(),
            escape.python.unwrap_or_default(),
        );
        digest.update(line);
    }
    for work in useful {
        let line = format!(
            "{}\0{}\0{:?}\0{:?}\0{}\0{}\n",
            work.id,
            work.summary,
            work.also_needs,
            work.may_lack,
            work.hook,
            told(&work.work),
        );
        digest.update(line);
    }
    hex::encode(digest.finalize())
}

fn told(work: &Work) -> String {
    match work {
        Work::Native(_) => "native".to_owned(),
        Work::Python(text) => (*text).to_owned(),
        Work::Program(Program { path, arguments, reads, end, refused, prepare: _ }) => {
            format!("{path}\0{arguments:?}\0{reads:?}\0{end:?}\0{refused:?}")
        }
    }
}

/// The digest of the program under trial.
///
/// # Errors
/// When its file cannot be read.
pub fn program_digest(image: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    io::copy(&mut File::open(image)?, &mut digest)?;
    Ok(hex::encode(digest.finalize()))
}

#[cfg(test)]
mod tests;
