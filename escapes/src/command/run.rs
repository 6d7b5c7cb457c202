//! `escapology run`: one program under the native backend, with the manners of `env(1)` and
//! `timeout(1)`. Standard output and standard error carry the program's bytes; what this command has
//! to say goes to standard error in one line.

use super::grants::{Grants, PolicyError};
use super::record::{Captured, RunRecord};
use super::run_directory::{RunDirectory, RunDirectoryError};
use super::say;
use super::selection::native_of;
use backends::audit_only::audit_only;
use backends::backend::Backend;
use backends::child::{Cause, Child, Ended, Event, Exit};
use backends::command::{Command, Input};
use backends::discover::Needs;
use backends::launch::LaunchError;
use backends::policy::{Bound, GrantError, Policy};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Captured output that a record holds at most.
const CAPTURE: Bound = Bound::At(1 << 26);

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
    Policy(#[from] PolicyError),
    #[error(transparent)]
    Unavailable(#[from] backends::protection::Unavailable),
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Directory(#[from] RunDirectoryError),
    #[error("record {path:?}: {source}")]
    Record { path: PathBuf, source: io::Error },
    #[error("follow the program: {0}")]
    Follow(#[from] backends::child::WaitError),
}

impl RunError {
    fn code(&self) -> Code {
        match self {
            Self::Hide | Self::Policy(PolicyError::Grant(GrantError::Empty)) => Code::Usage,
            Self::Policy(PolicyError::Program(error)) if error.is_not_found() => Code::NotFound,
            Self::Launch(LaunchError::NotFound { .. }) => Code::NotFound,
            Self::Policy(PolicyError::Program(_))
            | Self::Launch(LaunchError::NotExecutable { .. }) => Code::NotExecutable,
            Self::Policy(PolicyError::Grant(_))
            | Self::Unavailable(_)
            | Self::Launch(_)
            | Self::Directory(_)
            | Self::Record { .. }
            | Self::Follow(_) => Code::NotSetUp,
        }
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
        let (policy, needs) = self.grants.policy(Path::new(program), output)?;
        let record = self.record.as_deref().map(create).transpose()?;
        let backend: Box<dyn Backend> = match self.backend {
            Confiner::Native => native_of(self.hide_metadata),
            Confiner::AuditOnly if self.hide_metadata => return Err(RunError::Hide),
            Confiner::AuditOnly => Box::new(audit_only()),
        };
        let profile = backend.profile();
        if let Some(warning) = profile.warning {
            say(&format!("warning: {warning}"));
        }
        let confinement = backend.prepare(&policy)?;
        let run = RunDirectory::make(&self.grants)?;
        let child = confinement.launch(command(&needs, arguments, run.path()))?;
        let (ended, captured) = if self.json { capture(child)? } else { pass_on(child)? };
        let record_of = |captured| {
            RunRecord::of(
                backend.name(),
                profile.mechanism.clone(),
                &*confinement,
                &policy,
                &ended,
                captured,
            )
        };
        if self.json {
            print(&record_of(Some(captured)).line())?;
        } else if let Some((mut file, path)) = record {
            file.write_all(&record_of(None).line())
                .map_err(|source| RunError::Record { path, source })?;
        }
        Ok(code_of(&ended, &policy))
    }
}

fn create(path: &Path) -> Result<(std::fs::File, PathBuf), RunError> {
    match std::fs::File::create(path) {
        Ok(file) => Ok((file, path.to_owned())),
        Err(source) => Err(RunError::Record { path: path.to_owned(), source }),
    }
}

fn print(line: &[u8]) -> Result<(), RunError> {
    let mut output = io::stdout().lock();
    output
        .write_all(line)
        .and_then(|()| output.flush())
        .map_err(|source| RunError::Record { path: "standard output".into(), source })
}

fn command(needs: &Needs, arguments: &[OsString], run: &Path) -> Command {
    let mut command = Command::new(&needs.image, run);
    command.argument0 = Some(needs.argument0.clone());
    command.arguments = needs.prefix_arguments.iter().chain(arguments).cloned().collect();
    // A caller without standard input gives the program none.
    let input = io::stdin().as_fd().try_clone_to_owned();
    command.input = input.map_or(Input::Empty, Input::From);
    command
}

/// Hands the program's bytes on as they come. If nobody reads them any more the program ends, as a
/// writer to a closed pipe does.
fn pass_on(mut child: Child) -> Result<(Ended, Captured), RunError> {
    let mut closed = false;
    loop {
        let passed = match child.next_event()? {
            Event::Output(bytes) => {
                let mut output = io::stdout().lock();
                output.write_all(&bytes).and_then(|()| output.flush())
            }
            Event::Error(bytes) => io::stderr().lock().write_all(&bytes),
            Event::Ended(ended) if closed && ended.exit == Exit::Signal(libc::SIGKILL) => {
                let exit = Exit::Signal(libc::SIGPIPE);
                return Ok((Ended { exit, ..ended }, Captured::default()));
            }
            Event::Ended(ended) => return Ok((ended, Captured::default())),
        };
        if passed.is_err() && !closed {
            closed = true;
            child.kill()?;
        }
    }
}

fn capture(child: Child) -> Result<(Ended, Captured), RunError> {
    let completed = child.wait()?;
    Ok((completed.ended, Captured { output: completed.output, error: completed.error }))
}

/// The program's own code, or the code of what ended it, with a line that says so.
fn code_of(ended: &Ended, policy: &Policy) -> u8 {
    match ended.cause {
        Some(Cause::WallClock) => return Code::TimedOut as u8,
        Some(Cause::Output) => say("the program wrote more than its output limit and was killed"),
        Some(Cause::RunDirectory) => say("its run directory held more than its limit allows"),
        Some(Cause::CpuTime) => say("the program used more CPU time than its limit allows"),
        None => {}
    }
    let signal = match ended.exit {
        Exit::Code(code) => {
            if let (Bound::At(bytes), 127) = (policy.limits().address_space_bytes, code) {
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
        say(&format!(
            "the program wrote a file beyond its limit ({:?})",
            policy.limits().file_size_bytes
        ));
    }
    if let (Bound::At(bytes), true) = (policy.limits().address_space_bytes, is_crash(signal)) {
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
