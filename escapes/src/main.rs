//! The `escapology` command.

mod command;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = harness::stage::play(&escapes::all(), &escapes::parts()) {
        return code;
    }
    command::Arguments::parse().run()
}
