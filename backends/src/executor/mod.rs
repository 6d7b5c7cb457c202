//! Linux. One program of a session: a fresh directory, the program's text beside it, the launch, and what
//! came of it.

mod folder;
mod outcome;
mod shelf;
mod start;
mod stragglers;

pub use outcome::{Outcome, Refusal};
pub(crate) use shelf::Shelf;

use crate::child::{Completed, Usage, WaitError};
use crate::events::{Event, What, printable};
use crate::harvest::{self, Harvest, HarvestError, HarvestLimits};
use crate::hook::HookError;
use crate::launch::LaunchError;
use crate::protection::Unavailable;
use crate::session::{Made, Session, SessionError};
use folder::Folder;
use std::cell::Cell;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Bytes of program text at most.
const TEXT: usize = 1 << 24;

/// A Python program to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    text: Vec<u8>,
    arguments: Vec<OsString>,
    input: Vec<u8>,
}

impl Program {
    /// A program from its text.
    pub fn python(text: impl Into<Vec<u8>>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets what it reads from standard input.
    #[must_use]
    pub fn input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }
}

/// Why a program did not run, or could not be followed to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no session.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The confinement cannot be applied. Nothing ran, and no change of the program helps.
    #[error(transparent)]
    Unavailable(Unavailable),
    /// The program was not launched.
    #[error(transparent)]
    Launch(LaunchError),
    /// The hook could not be put before the program.
    #[error(transparent)]
    Hook(#[from] HookError),
    /// The program cannot be followed any more. It was killed.
    #[error("follow the program: {0}")]
    Follow(#[from] WaitError),
    /// The run's directory cannot be made.
    #[error("run directory {path:?}: {call}: {source}")]
    Folder {
        /// The path.
        path: PathBuf,
        /// The call.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// The session was released while the program ran, which was killed.
    #[error("the session was released while the program ran")]
    Released,
}

/// A program that ran to its end. When this is dropped, its directory is gone, and what it left is removed beside
/// what the host does next; when the session ends, that has happened.
#[derive(Debug)]
pub struct Run<'session> {
    session: &'session Session,
    made: &'session Made,
    number: u64,
    folder: Folder,
    outcome: Outcome,
    usage: Usage,
    output: Vec<u8>,
    error: Vec<u8>,
    alive: bool,
    harvests: Cell<u64>,
}

impl Run<'_> {
    /// Which program of its session this is, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// How it ended.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// What it used.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// What it wrote to standard output, up to the cap: hostile bytes, as they came.
    pub fn stdout(&self) -> &[u8] {
        &self.output
    }

    /// What it wrote to standard error, likewise.
    pub fn stderr(&self) -> &[u8] {
        &self.error
    }

    /// Copies the files that a pattern names out of the run directory. See [`crate::harvest`].
    ///
    /// # Errors
    /// When the pattern is none, a process of the run lives, or the host's own side fails. What a program
    /// left is never an error, but a finding.
    pub fn harvest(&self, pattern: &str, limits: &HarvestLimits) -> Result<Harvest, HarvestError> {
        if self.alive {
            return Err(HarvestError::StillAlive);
        }
        self.harvests.set(self.harvests.get() + 1);
        let into = self.folder.harvest(self.harvests.get());
        let harvest = harvest::harvest(&self.folder.run(), &into, pattern, limits)?;
        self.session.tell(
            Some(self.made),
            What::Harvest {
                run: self.number,
                pattern: printable(pattern.as_bytes()),
                files: harvest.files().len() as u64,
                bytes: harvest.files().iter().map(harvest::Harvested::size).sum(),
                findings: told(harvest.findings()),
            },
        );
        Ok(harvest)
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        // A copy of the process that ran the program has a copy of this, and its directory is the other's still.
        if !self.made.live.root.is_ours() {
            return;
        }
        let shelf = &self.made.shelf;
        shelf.put_back(self.made, &self.folder, self.number);
        for (run, findings) in shelf.stayed() {
            self.session.tell_findings(self.made, run, findings);
        }
    }
}

/// Runs one program in a session that is made.
pub(crate) fn run<'session>(
    session: &'session Session,
    made: &'session Made,
    program: &Program,
) -> Result<Run<'session>, RunError> {
    let number = made.next_run();
    let folder = made.shelf.take(made)?;
    let mut run = Run {
        session,
        made,
        number,
        folder,
        outcome: Outcome::Refused(Refusal::Text { bytes: program.text.len(), most: TEXT }),
        usage: Usage::default(),
        output: Vec::new(),
        error: Vec::new(),
        alive: false,
        harvests: Cell::new(0),
    };
    if program.text.len() <= TEXT {
        run.folder.write(&program.text)?;
        match start::execute(made, &run.folder, number, program) {
            Ok(completed) => run.take(completed),
            Err(RunError::Launch(error)) => match Refusal::of(&error) {
                Some(refusal) => run.outcome = Outcome::Refused(refusal),
                None => return Err(RunError::Launch(error)),
            },
            Err(error) => return Err(error),
        }
    }
    session.tell(Some(made), run.event());
    Ok(run)
}

impl Run<'_> {
    fn take(&mut self, completed: Completed) {
        let Completed { ended, output, error } = completed;
        self.outcome = Outcome::of(&ended, self.made.hook, self.made.policy.limits());
        self.usage = ended.usage;
        self.output = output;
        self.error = error;
        // A confinement that commits to its policy lets no second process start, so there is none.
        if self.made.confinement.commitment().is_none() {
            self.alive = !stragglers::end(self.folder.path());
            if self.alive {
                let finding = "a process of the run outlived it and could not be ended".to_owned();
                let run = Some(self.number);
                self.session.tell(Some(self.made), What::Finding { run, finding });
            }
        }
    }

    fn event(&self) -> What {
        let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        What::Run {
            run: self.number,
            backend: self.made.backend.clone(),
            mechanism: self.made.mechanism.clone(),
            commitment: self.made.confinement.commitment(),
            outcome: self.outcome.name(),
            status: self.outcome.status(),
            wall_microseconds: microseconds(self.usage.wall),
            cpu_microseconds: microseconds(self.usage.cpu),
            peak_memory: self.usage.peak_memory,
            output_bytes: [self.output.len() as u64, self.error.len() as u64],
        }
    }
}

impl Session {
    /// Tells what a run left.
    pub(crate) fn tell_findings(&self, made: &Made, run: u64, findings: Vec<String>) {
        for finding in findings {
            self.tell(Some(made), What::Finding { run: Some(run), finding });
        }
    }

    /// Tells the host's observer.
    pub(crate) fn tell(&self, made: Option<&Made>, what: What) {
        if let Some(observer) = &self.observer {
            observer.event(&Event::now(made.map(|made| made.live.root.id()), what));
        }
    }
}

/// Findings of a harvest in an event at most, and letters of one: a line of an event file stays a line.
const TOLD: (usize, usize) = (64, 512);

fn told(findings: &[harvest::Finding]) -> Vec<String> {
    let short = |finding: &harvest::Finding| {
        let text = finding.to_string();
        match text.char_indices().nth(TOLD.1) {
            Some((end, _)) => format!("{}... {}", text.get(..end).unwrap_or_default(), finding.why),
            None => text,
        }
    };
    let mut told: Vec<String> = findings.iter().take(TOLD.0).map(short).collect();
    if let Some(more) = findings.len().checked_sub(TOLD.0).filter(|more| *more > 0) {
        told.push(format!("and {more} more"));
    }
    told
}
