//! The `escapology` command.

mod command;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = harness::stage::play(&escapes::all(), &escapes::parts()) {
        return code;
    }
    // Whoever started this command may have told the kernel to reap its children.
    if let Err(error) = backends::sys::kernel::keep_children() {
        command::say(&format!("signal(SIGCHLD): {error}"));
        return ExitCode::from(3);
    }
    command::Arguments::of_process().map_or_else(|code| code, command::Arguments::run)
}
