//! `escapology build`: a list of steps, each one confined and sealed where S1 holds here and can keep its
//! grants, and otherwise run as a plain child whose record says S0 and why.

mod steps;

use super::grants::{needs, search};
use super::record_file::{self, RecordFileError};
use super::run::{CAPTURE, pass_on};
use super::run_directory::{RunDirectory, RunDirectoryError};
use super::{say, visible};
use backends::child::{Cause, Exit, WaitError};
use backends::command::Input;
use backends::host::{Host, RunError};
use backends::meter::Method;
use backends::policy::Bound;
use backends::running::Running;
use backends::seal::{Sealed, Unconfined};
use backends::tier::Tier;
use backends::unit::UnitError;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use steps::{Step, StepsError};

#[derive(Debug, Args)]
pub(crate) struct Build {
    /// The rung that every step must have: S1 makes a step that would run unconfined a failure
    #[arg(long, value_name = "TIER", default_value = "S0")]
    require: Tier,
    /// Print one sealed record for each step, with the captured output, instead of the output
    #[arg(long, conflicts_with = "record")]
    json: bool,
    /// Write the sealed records to this file, one a line, beside an ordinary build
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The steps, in TOML, or in JSON if its name ends in .json
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Why a build, or a step of it, did not run.
#[derive(Debug, thiserror::Error)]
enum BuildError {
    #[error(transparent)]
    Steps(#[from] StepsError),
    #[error(transparent)]
    Unit(#[from] UnitError),
    #[error("S1 is required: {0}")]
    Required(Unconfined),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Directory(#[from] RunDirectoryError),
    #[error("follow the program: {0}")]
    Follow(#[from] WaitError),
    #[error(transparent)]
    RecordFile(#[from] RecordFileError),
    #[error("record {path:?}: {source}")]
    Record { path: PathBuf, source: io::Error },
}

/// The exit codes of a build.
#[derive(Clone, Copy)]
enum Code {
    Done = 0,
    Failed = 1,
    Usage = 2,
    NotRun = 3,
}

/// One line of the summary.
struct Line {
    name: String,
    sealed: Box<Sealed>,
}

impl Build {
    pub(crate) fn run(self) -> ExitCode {
        let mut lines = Vec::new();
        let code = match self.build(&mut lines) {
            Ok(code) => code,
            Err(error @ BuildError::Steps(_)) => {
                say(&error.to_string());
                return ExitCode::from(Code::Usage as u8);
            }
            Err(error @ BuildError::Required(_)) => {
                say(&error.to_string());
                Code::Failed
            }
            Err(error) => {
                say(&error.to_string());
                Code::NotRun
            }
        };
        let mut table = io::stderr().lock();
        for line in lines.iter().map(summary) {
            let _nobody_reads = writeln!(table, "{}", visible(&line));
        }
        ExitCode::from(code as u8)
    }

    fn build(&self, lines: &mut Vec<Line>) -> Result<Code, BuildError> {
        let output = if self.json { CAPTURE } else { Bound::Unlimited };
        let steps = steps::read(&self.file, output)?;
        let count = steps.len();
        // A place may come of the step before, but a text that can be no grant is a mistake of the file.
        for (index, step) in steps.iter().enumerate() {
            step.unit.grants.stated().map_err(UnitError::from).inspect_err(|_error| {
                say(&format!(
                    "step {} of {count}, {:?}, did not run, nor any other:",
                    index + 1,
                    step.name
                ));
            })?;
        }
        let mut records = match &self.record {
            Some(path) => {
                let grants = steps.iter().map(|step| &step.unit.grants);
                Some((record_file::create(path, grants)?, path))
            }
            None => None,
        };
        let host = Host::default().searching(search());
        for (index, step) in steps.into_iter().enumerate() {
            let sealed = self.step(&host, &step).inspect_err(|_error| {
                say(&format!("step {} of {count}, {:?}, did not run:", index + 1, step.name));
            })?;
            if self.json {
                let path = PathBuf::from("standard output");
                let mut output = io::stdout().lock();
                let written = output.write_all(&sealed.line()).and_then(|()| output.flush());
                written.map_err(self.unwritten(&path))?;
            } else if let Some((file, path)) = &mut records {
                file.write_all(&sealed.line()).map_err(self.unwritten(path))?;
            }
            let failed = sealed.ended().exit != Exit::Code(0) || sealed.ended().cause.is_some();
            lines.push(Line { name: step.name, sealed });
            if failed {
                let rest = if index + 1 < count { "; the rest did not run" } else { "" };
                say(&format!("step {} of {count} failed{rest}", index + 1));
                return Ok(Code::Failed);
            }
        }
        Ok(Code::Done)
    }

    fn unwritten(&self, path: &std::path::Path) -> impl FnOnce(io::Error) -> BuildError {
        move |source| BuildError::Record { path: path.to_owned(), source }
    }

    /// Runs one step and returns its record.
    fn step(&self, host: &Host, step: &Step) -> Result<Box<Sealed>, BuildError> {
        let run = RunDirectory::make()?;
        let running = self.start(host, step, &run)?;
        if self.json {
            return Ok(Box::new(running.wait()?));
        }
        Ok(pass_on(running)?.0)
    }

    /// Starts a step, confined; or unconfined, where S1 is not enough for its grants or not earned here.
    /// A grant that is a mistake or was tampered with is neither: the step does not run.
    fn start(
        &self,
        host: &Host,
        step: &Step,
        run: &RunDirectory,
    ) -> Result<Box<Running>, BuildError> {
        let needs = needs(&step.unit)?;
        let why = match host.start(&step.unit, &needs, run.path(), Input::Empty) {
            Ok(running) => return Ok(running),
            Err(RunError::Unit(UnitError::Refused(refusal))) if refusal.is_unenforceable() => {
                Unconfined::Grants(refusal)
            }
            Err(RunError::NotEarned(why)) => Unconfined::Host(why),
            Err(error) => {
                return Err(match run.is_granted(&error) {
                    Some(granted) => granted.into(),
                    None => error.into(),
                });
            }
        };
        if self.require > Tier::S0 {
            return Err(BuildError::Required(why));
        }
        say(&format!("step {:?} runs unconfined: {why}", step.name));
        Ok(host.start_unconfined(&step.unit, &needs, run.path(), Input::Empty, why)?)
    }
}

/// A step in one line: rung, end, time, energy, name, and why it was not confined.
fn summary(line: &Line) -> String {
    let sealed = &line.sealed;
    let ended = sealed.ended();
    let end = match (ended.cause, ended.exit) {
        (Some(Cause::WallClock), _) => "timed out".to_owned(),
        (Some(Cause::Output), _) => "output limit".to_owned(),
        (Some(Cause::RunDirectory), _) => "disk limit".to_owned(),
        (Some(Cause::CpuTime), _) => "CPU limit".to_owned(),
        (None, Exit::Code(code)) => format!("exit {code}"),
        (None, Exit::Signal(signal)) => format!("signal {signal}"),
    };
    let energy = sealed.energy();
    let sign = match energy.method {
        Method::ModelBased { .. } => "",
        Method::Estimator { .. } => "~",
    };
    let energy =
        format!("{sign}{}.{:03} mJ", energy.microjoules / 1_000, energy.microjoules % 1_000);
    let why = sealed.unconfined().map(|why| format!(": {why}")).unwrap_or_default();
    let wall = ended.usage.wall.as_millis();
    format!(
        "{:<3} {end:<12} {wall:>7} ms {energy:>14}  {}{why}",
        sealed.tier().to_string(),
        line.name
    )
}
