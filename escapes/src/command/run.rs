//! `escapology run`: one program under the native backend, with the manners of `env(1)` and
//! `timeout(1)`. Standard output and standard error carry the program's bytes; what this command has
//! to say goes to standard error in one line.

use super::grants::{Grants, needs, search};
use super::record_file::{self, RecordFileError};
use super::run_directory::{RunDirectory, RunDirectoryError};
use super::say;
use backends::audit_only::audit_only;
use backends::backend::Backend;
use backends::child::{Cause, Ended, Exit, WaitError};
use backends::command::Input;
use backends::grants::Refusal;
use backends::host::{self, Host};
use backends::launch::LaunchError;
use backends::policy::{Bound, GrantError, Limits};
use backends::running::{Chunk, Progress, Running};
use backends::seal::Sealed;
use backends::unit::UnitError;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Captured output that a record holds at most.
pub(super) const CAPTURE: Bound = Bound::At(1 << 26);

#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    grants: Grants,
    /// What confines the program; audit-only confines nothing and says so
    #[arg(long, value_enum, default_value = "native")]
    backend: Confiner,
    /// Hide that paths outside exist, too, by a mount namespace; the host must allow user namespaces
    #[arg(long)]
    hide_metadata: bool,
    /// Print one JSON record that holds the captured output, instead of the output
    #[arg(long, conflicts_with = "record")]
    json: bool,
    /// Write the JSON record to this file, beside an ordinary run
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The program and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Confiner {
    Native,
    AuditOnly,
}

/// The exit codes of `run` that are not the program's own, as `timeout(1)` and `env(1)` have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    Usage = 2,
    TimedOut = 124,
    NotSetUp = 125,
    NotExecutable = 126,
    NotFound = 127,
}

/// Why nothing ran.
#[derive(Debug, thiserror::Error)]
enum RunError {
    #[error("--hide-metadata is for the backend native: audit-only hides nothing")]
    Hide,
    #[error(transparent)]
    Unit(#[from] UnitError),
    #[error(transparent)]
    Host(#[from] host::RunError),
    #[error(transparent)]
    Directory(#[from] RunDirectoryError),
    #[error(transparent)]
    RecordFile(#[from] RecordFileError),
    #[error("record {path:?}: {source}")]
    Record { path: PathBuf, source: io::Error },
    #[error("follow the program: {0}")]
    Follow(#[from] WaitError),
}

impl RunError {
    fn code(&self) -> Code {
        match self {
            Self::Hide => Code::Usage,
            Self::Unit(error) | Self::Host(host::RunError::Unit(error)) => code_of_unit(error),
            Self::Host(host::RunError::Launch(error)) => code_of_launch(error),
            Self::Host(_)
            | Self::Directory(_)
            | Self::RecordFile(_)
            | Self::Record { .. }
            | Self::Follow(_) => Code::NotSetUp,
        }
    }
}

fn code_of_unit(error: &UnitError) -> Code {
    match error {
        UnitError::Refused(Refusal::Place(GrantError::Empty)) => Code::Usage,
        UnitError::Program(error) if error.is_not_found() => Code::NotFound,
        UnitError::Program(_) => Code::NotExecutable,
        UnitError::Refused(_) | UnitError::Needs(_) => Code::NotSetUp,
    }
}

fn code_of_launch(error: &LaunchError) -> Code {
    match error {
        LaunchError::NotFound { .. } => Code::NotFound,
        LaunchError::NotExecutable { .. } => Code::NotExecutable,
        LaunchError::RunDirectory { .. }
        | LaunchError::Nul
        | LaunchError::ZerothArgument
        | LaunchError::NotText(_)
        | LaunchError::TooLarge(_)
        | LaunchError::ChildrenIgnored
        | LaunchError::Resource { .. }
        | LaunchError::Killed { .. }
        | LaunchError::StartTimedOut
        | LaunchError::Unavailable(_) => Code::NotSetUp,
    }
}

impl Run {
    pub(crate) fn run(self) -> ExitCode {
        match self.attempt() {
            Ok(code) => ExitCode::from(code),
            Err(error) => {
                say(&error.to_string());
                ExitCode::from(error.code() as u8)
            }
        }
    }

    fn attempt(self) -> Result<u8, RunError> {
        let Some((program, arguments)) = self.program.split_first() else {
            return Ok(Code::Usage as u8);
        };
        let output = if self.json { CAPTURE } else { Bound::Unlimited };
        let unit = self.grants.unit(Path::new(program), arguments, output);
        unit.grants.check().map_err(UnitError::Refused)?;
        let needs = needs(&unit)?;
        let created = |path| record_file::create(path, [&unit.grants]).map(|file| (file, path));
        let record = self.record.as_deref().map(created).transpose()?;
        let run = RunDirectory::make()?;
        let host = Host::default().searching(search()).hiding_metadata(self.hide_metadata);
        let running = match self.backend {
            Confiner::Native => host.start(&unit, &needs, run.path(), input()),
            Confiner::AuditOnly if self.hide_metadata => return Err(RunError::Hide),
            Confiner::AuditOnly => {
                if let Some(warning) = audit_only().profile().warning {
                    say(&format!("warning: {warning}"));
                }
                host.start_audit_only(&unit, &needs, run.path(), input())
            }
        };
        let running = running.map_err(|error| match run.is_granted(&error) {
            Some(granted) => RunError::Directory(granted),
            None => RunError::Host(error),
        })?;
        if self.json {
            let sealed = running.wait()?;
            print(&sealed.line())?;
            return Ok(code_of(sealed.ended(), &unit.limits));
        }
        let (sealed, ended) = pass_on(running)?;
        if let Some((mut file, path)) = record {
            file.write_all(&sealed.line())
                .map_err(|source| RunError::Record { path: path.to_owned(), source })?;
        }
        Ok(code_of(&ended, &unit.limits))
    }
}

fn print(line: &[u8]) -> Result<(), RunError> {
    let mut output = io::stdout().lock();
    output
        .write_all(line)
        .and_then(|()| output.flush())
        .map_err(|source| RunError::Record { path: "standard output".into(), source })
}

/// The caller's standard input. A caller without one gives the program none.
fn input() -> Input {
    io::stdin().as_fd().try_clone_to_owned().map_or(Input::Empty, Input::From)
}

/// Hands the program's bytes on as they come. If nobody reads them any more the program ends, as a
/// writer to a closed pipe does.
pub(super) fn pass_on(mut running: Box<Running>) -> Result<(Box<Sealed>, Ended), WaitError> {
    let mut closed = false;
    loop {
        let (further, chunk) = match running.progress()? {
            Progress::Running(further, chunk) => (further, chunk),
            Progress::Sealed(sealed) => {
                let mut ended = *sealed.ended();
                if closed && ended.exit == Exit::Signal(libc::SIGKILL) {
                    ended.exit = Exit::Signal(libc::SIGPIPE);
                }
                return Ok((sealed, ended));
            }
        };
        running = further;
        let passed = match chunk {
            Chunk::Output(bytes) => {
                let mut output = io::stdout().lock();
                output.write_all(&bytes).and_then(|()| output.flush())
            }
            Chunk::Error(bytes) => io::stderr().lock().write_all(&bytes),
        };
        if passed.is_err() && !closed {
            closed = true;
            running.kill()?;
        }
    }
}

/// The program's own code, or the code of what ended it, with a line that says so.
fn code_of(ended: &Ended, limits: &Limits) -> u8 {
    match ended.cause {
        Some(Cause::WallClock) => return Code::TimedOut as u8,
        Some(Cause::Output) => say("the program wrote more than its output limit and was killed"),
        Some(Cause::RunDirectory) => {
            say("the run directory held more than its limit allows, and the program was killed")
        }
        Some(Cause::CpuTime) => say("the program used more CPU time than its limit allows"),
        None => {}
    }
    let signal = match ended.exit {
        Exit::Code(code) => {
            if let (Bound::At(bytes), 127) = (limits.address_space_bytes, code) {
                // The dynamic loader says no more than that a segment could not be mapped.
                say(&format!(
                    "the program ended with 127, as its loader does when memory is short: the limit is {bytes} bytes"
                ));
            }
            return u8::try_from(code).unwrap_or(u8::MAX);
        }
        Exit::Signal(signal) => signal,
    };
    if signal == libc::SIGXFSZ {
        say(&format!("the program wrote a file beyond its limit ({:?})", limits.file_size_bytes));
    }
    if let (Bound::At(bytes), true) = (limits.address_space_bytes, is_crash(signal)) {
        say(&format!("the program ended by signal {signal} under a memory limit of {bytes} bytes"));
    }
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// The signals by which programs end that cannot get memory: they are killed, abort, or run into a
/// trap of their own (V8 and the sanitisers).
fn is_crash(signal: i32) -> bool {
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGKILL, libc::SIGABRT, libc::SIGTRAP, libc::SIGILL]
        .contains(&signal)
}
