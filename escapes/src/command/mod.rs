//! The command line: arguments as data, one file a command.

mod certify;
mod selection;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Certifies, host by host, whether a process sandbox really holds.
#[derive(Debug, Parser)]
#[command(name = "escapology", version, about, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the escapes against backends and say which rung the host has earned
    Certify(certify::Certify),
}

impl Arguments {
    /// Runs the command and returns its exit code: see `reports::exit`.
    pub(crate) fn run(self) -> ExitCode {
        match self.command {
            Command::Certify(certify) => certify.run(),
        }
    }
}
