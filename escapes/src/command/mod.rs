//! The command line: arguments as data, one file a command.

mod build;
mod certify;
mod doctor;
#[cfg(target_os = "linux")]
mod explain_policy;
#[cfg(target_os = "macos")]
#[path = "explain_policy_macos.rs"]
mod explain_policy;
mod folder;
mod grants;
mod list;
#[cfg(target_os = "linux")]
mod mutate;
mod probe;
mod record_file;
mod run;
mod run_directory;
#[cfg(target_os = "linux")]
mod search;
#[cfg(target_os = "linux")]
mod selection;
#[cfg(target_os = "macos")]
#[path = "selection_macos.rs"]
mod selection;
mod verify;

use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Says one line on standard error. A closed standard error is no reason to stop.
pub(crate) fn say(line: &str) {
    let _nobody_listens = writeln!(std::io::stderr().lock(), "escapology: {}", visible(line));
}

/// Text that may have come from outside, with what would act on a terminal escaped.
fn visible(text: &str) -> String {
    let escape = |character: char| {
        let hostile = character.is_control() || is_bidirectional(character);
        let escaped = hostile.then(|| character.escape_unicode());
        let plain = (!hostile).then_some(character);
        escaped.into_iter().flatten().chain(plain)
    };
    text.chars().flat_map(escape).collect()
}

/// Prints the data that was asked for. A reader that has gone is no success, and neither is one that
/// never was.
pub(crate) fn out(text: &str) -> ExitCode {
    if let Some(code) = no_output() {
        return code;
    }
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("standard output: {error}"));
            ExitCode::from(3)
        }
    }
}

/// The end of a command whose standard output was closed when it began: what is written there is lost.
pub(crate) fn no_output() -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    let closed = escapes::raw::streams::output_was_closed();
    #[cfg(not(target_os = "linux"))]
    let closed = false;
    closed.then(|| {
        say("standard output is closed: what was asked for could not be printed");
        ExitCode::from(3)
    })
}

/// Characters that make a terminal show text in another order.
fn is_bidirectional(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Certifies, host by host, whether a process sandbox really holds.
#[derive(Debug, Parser)]
#[command(name = "escapology", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the escapes against backends and say which rung the host has earned
    Certify(certify::Certify),
    /// Find the rung of this host in milliseconds: control, file read, write, subprocess, loopback
    Probe(probe::Probe),
    /// Run one program under the native sandbox
    Run(run::Run),
    /// Run the steps of a build, each one confined and sealed where S1 holds and can keep its grants
    Build(build::Build),
    /// Search for escapes that nobody listed: programs at random, watched from outside
    #[cfg(target_os = "linux")]
    Search(search::Search),
    /// List the escapes
    List(list::List),
    /// Say what one escape tries, and who must stop it
    Explain(list::Explain),
    /// Print everything that the kernel would be told for a program
    ExplainPolicy(explain_policy::ExplainPolicy),
    /// Take every rule of the policy away, one at a time, and see that an escape notices
    #[cfg(target_os = "linux")]
    Mutate(mutate::Mutate),
    /// Re-judge the records of a certified folder, or check the sealed records of a file
    Verify(verify::Verify),
    /// Say what this host has, what is missing for S1, and how to get it
    Doctor(doctor::Doctor),
}

impl Arguments {
    /// The arguments of this process, or the exit code of a run that was asked for nothing else than
    /// help, or for what does not exist.
    pub(crate) fn of_process() -> Result<Self, ExitCode> {
        Self::try_parse().map_err(|error| {
            if !error.use_stderr() {
                let printed = || if error.print().is_ok() { 0 } else { 3 };
                return no_output().unwrap_or_else(|| ExitCode::from(printed()));
            }
            // The library repeats an argument as it came, on a terminal with its control characters.
            for line in error.to_string().lines() {
                let _nobody_listens = writeln!(std::io::stderr().lock(), "{}", visible(line));
            }
            ExitCode::from(2)
        })
    }

    /// Runs the command and returns its exit code: see `reports::exit`.
    pub(crate) fn run(self) -> ExitCode {
        match self.command {
            Command::Certify(certify) => certify.run(),
            Command::Probe(probe) => probe.run(),
            Command::Run(run) => run.run(),
            Command::Build(build) => build.run(),
            #[cfg(target_os = "linux")]
            Command::Search(search) => search.run(),
            Command::List(list) => list.run(),
            Command::Explain(explain) => explain.run(),
            Command::ExplainPolicy(explain_policy) => explain_policy.run(),
            #[cfg(target_os = "linux")]
            Command::Mutate(mutate) => mutate.run(),
            Command::Verify(verify) => verify.run(),
            Command::Doctor(doctor) => doctor.run(),
        }
    }
}
