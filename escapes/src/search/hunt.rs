//! The search itself: batches of programs as long as nothing is seen; then halves, down to the program
//! that shows something, which is shrunk to a hole. What decided a hole is left out of the programs that
//! follow, so that the next hole is another one.

use super::grammar::Grammar;
use super::ground::{Ground, LookError, Seen};
use super::program::Program;
use super::shrink::shrink;
use fixtures::decoy::{Evidence, EvidenceKind};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Programs that share a world at most.
const MOST: usize = 64;
/// Programs that share the first world.
const FIRST: usize = 8;

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The seed: the same one makes the same programs.
    pub seed: u64,
    /// Programs.
    pub cases: u64,
    /// Time, after which nothing more is looked into.
    pub time: Option<Duration>,
}

/// A way out that was found.
#[derive(Clone, Debug)]
pub struct Hole {
    /// What was seen of it.
    pub kind: EvidenceKind,
    /// The operation that decides it: see `Operation::label`.
    pub label: String,
    /// The shortest program that shows it.
    pub program: Program,
    /// Where and how it was seen.
    pub detail: String,
    /// The number of the program that showed it first.
    pub case: u64,
    /// After how long.
    pub after: Duration,
    /// Whether the program showed it again when it was tried alone.
    pub repeated: bool,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Programs that were tried, those that only known ways out were left of included.
    pub cases: u64,
    /// Operations that were tried.
    pub operations: u64,
    /// Operations that succeeded.
    pub succeeded: u64,
    /// Programs that ended the process which carried them out.
    pub ended: u64,
    /// Worlds that were built.
    pub worlds: u64,
    /// How long it took.
    pub time: Duration,
    /// The holes, each once.
    pub holes: Vec<Hole>,
}

/// Why a search proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// The generator gave up.
    #[error("generate program {case}: {reason}")]
    Generate {
        /// Its number.
        case: u64,
        /// The generator's reason.
        reason: proptest::test_runner::Reason,
    },
    /// Programs could not be tried.
    #[error("programs from number {case}: {source}")]
    Look {
        /// The first of them.
        case: u64,
        /// Why not.
        source: LookError,
    },
}

/// Searches until a bound is met.
///
/// # Errors
/// At the first batch of which nothing can be said.
pub fn hunt(
    ground: &Ground<'_>,
    bounds: Bounds,
    progress: impl FnMut(&Found),
) -> Result<Found, HuntError> {
    let mut hunt = Hunt {
        begun: Instant::now(),
        bounds,
        look: |programs: &[Program]| ground.look(programs),
        known: BTreeSet::new(),
        found: Found::default(),
    };
    hunt.run(progress)?;
    Ok(hunt.found)
}

/// A program with its number.
type Numbered = (u64, Program);

struct Hunt<Look> {
    begun: Instant,
    bounds: Bounds,
    look: Look,
    /// Labels of operations that are left out.
    known: BTreeSet<String>,
    found: Found,
}

impl<Look: FnMut(&[Program]) -> Result<Seen, LookError>> Hunt<Look> {
    fn run(&mut self, mut progress: impl FnMut(&Found)) -> Result<(), HuntError> {
        let grammar = Grammar::default();
        let Bounds { seed, cases, .. } = self.bounds;
        let mut size = FIRST;
        while self.found.cases < cases && !self.late() {
            let start = self.found.cases;
            let end = cases.min(start + size as u64);
            let mut batch = Vec::new();
            for case in start..end {
                let program = grammar.program(seed, case);
                batch.push((case, program.map_err(|reason| HuntError::Generate { case, reason })?));
            }
            let holes = self.found.holes.len();
            self.sift(batch).map_err(|source| HuntError::Look { case: start, source })?;
            self.found.time = self.begun.elapsed();
            if self.late() {
                // What came of its last programs was not looked into.
                break;
            }
            let quiet = self.found.holes.len() == holes;
            size = if quiet { (size * 2).min(MOST) } else { (size / 2).max(FIRST / 2) };
            self.found.cases = end;
            progress(&self.found);
        }
        Ok(())
    }

    fn late(&self) -> bool {
        self.bounds.time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    fn look(&mut self, programs: &[Program]) -> Result<Vec<Evidence>, LookError> {
        let seen = (self.look)(programs)?;
        self.found.worlds += 1;
        self.found.operations += seen.tried;
        self.found.succeeded += seen.succeeded;
        self.found.ended += seen.ended;
        Ok(seen.evidence)
    }

    /// Finds every hole of a batch.
    fn sift(&mut self, batch: Vec<Numbered>) -> Result<(), LookError> {
        let batch: Vec<Numbered> = batch
            .into_iter()
            .map(|(case, program)| (case, program.without(&self.known)))
            .filter(|(_, program)| !program.0.is_empty())
            .collect();
        let Some(first) = batch.first().map(|(case, _)| *case) else { return Ok(()) };
        if self.late() {
            return Ok(());
        }
        let programs: Vec<Program> = batch.iter().map(|(_, program)| program.clone()).collect();
        let evidence = self.look(&programs)?;
        if evidence.is_empty() {
            return Ok(());
        }
        if let [program] = programs.as_slice() {
            return self.dig(first, program.clone(), evidence);
        }
        let known = self.known.len();
        let mut left = batch;
        let right = left.split_off(left.len() / 2);
        self.sift(left)?;
        self.sift(right)?;
        if self.known.len() == known && !self.late() {
            // Together they did what none did alone.
            let together = Program(programs.into_iter().flat_map(|program| program.0).collect());
            return self.dig(first, together, evidence);
        }
        Ok(())
    }

    /// Finds every hole of a program of which something was seen.
    fn dig(
        &mut self,
        case: u64,
        mut program: Program,
        mut evidence: Vec<Evidence>,
    ) -> Result<(), LookError> {
        while let Some(first) = evidence.first().map(|first| first.kind)
            && !self.late()
        {
            let kind = evidence.iter().map(|one| one.kind).min().unwrap_or(first);
            let again = self.look(std::slice::from_ref(&program))?;
            if !again.iter().any(|one| one.kind == kind) {
                self.note(case, kind, &program, &evidence, false);
                return Ok(());
            }
            let shrunk = shrink(&program, &mut |candidate: &Program| -> Result<bool, LookError> {
                let seen = self.look(std::slice::from_ref(candidate))?;
                Ok(seen.iter().any(|one| one.kind == kind))
            })?;
            self.note(case, kind, &shrunk.plainest, &evidence, true);
            let aliases = [&shrunk.shortest, &shrunk.plainest];
            let labels = aliases.into_iter().filter_map(|program| program.deciding());
            self.known.extend(labels.map(|operation| operation.label()));
            program = program.without(&self.known);
            if program.0.is_empty() {
                return Ok(());
            }
            evidence = self.look(std::slice::from_ref(&program))?;
        }
        Ok(())
    }

    fn note(
        &mut self,
        case: u64,
        kind: EvidenceKind,
        program: &Program,
        evidence: &[Evidence],
        repeated: bool,
    ) {
        let label = program.deciding().map(|operation| operation.label()).unwrap_or_default();
        let known = self.found.holes.iter().any(|hole| (hole.kind, &hole.label) == (kind, &label));
        let detail = evidence.iter().find(|one| one.kind == kind);
        let detail = detail.map(|one| one.detail.clone()).unwrap_or_default();
        if !known {
            let after = self.begun.elapsed();
            let program = program.clone();
            self.found.holes.push(Hole { kind, label, program, detail, case, after, repeated });
        }
    }
}

#[cfg(test)]
#[path = "hunt_tests.rs"]
mod tests;
