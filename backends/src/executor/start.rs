//! Linux. The launch of one program of a session, and its way to the end.

use super::folder::Folder;
use super::{Program, RunError};
use crate::child::{Completed, WaitError};
use crate::command::{Command, Input};
use crate::container;
use crate::hook::{self, HookError, HookPolicy, HookRules};
use crate::launch::LaunchError;
use crate::policy::Bound;
use crate::session::Made;
use std::ffi::OsString;
use std::path::PathBuf;

/// Runs a program as the interpreter does, and says by its exit status when memory ran out.
const RUNNER: &str = include_str!("runner.py");

pub(super) fn execute(
    made: &Made,
    folder: &Folder,
    number: u64,
    program: &Program,
) -> Result<Completed, RunError> {
    let mut command = Command::new(&made.python.executable, folder.run());
    command.argument0 = Some(made.python.needs.argument0.clone());
    command.program_text = Some(folder.text());
    command.bundle = Some(folder.bundle());
    command.arguments = arguments(made, folder, program)?;
    if !program.input.is_empty() {
        command.input = Input::Fed;
    }
    let mut child = made.confinement.launch(command).map_err(|error| {
        if let LaunchError::Unavailable(lost) = error {
            RunError::Unavailable(lost)
        } else {
            RunError::Launch(error)
        }
    })?;
    let running = made.live.running(number, child.id()).ok_or(RunError::Released)?;
    if !program.input.is_empty() {
        child.feed(&program.input);
        child.close_input();
    }
    let completed = child.wait();
    // Not before: it would hold up a program that shares its core with the thread beside.
    made.shelf.tend(made);
    let completed = completed.map_err(|error| match error {
        WaitError::Sandbox { said } => RunError::Unavailable(container::failed(&said)),
        error @ WaitError::Call { .. } => RunError::Follow(error),
    })?;
    if running.was_released() { Err(RunError::Released) } else { Ok(completed) }
}

/// The interpreter's arguments: isolated, without `site`, without `.pyc` files, UTF-8, unbuffered.
fn arguments(made: &Made, folder: &Folder, program: &Program) -> Result<Vec<OsString>, HookError> {
    let text = folder.text();
    if made.hook {
        let libraries = &made.python.needs.read;
        let policy = HookPolicy {
            read: libraries.iter().cloned().chain([text.clone()]).collect(),
            write: [folder.run(), PathBuf::from("/dev/null")].into(),
            native_modules: libraries.iter().cloned().collect(),
        };
        return hook::arguments(&policy, &HookRules::standard(), &text, &program.arguments);
    }
    if made.policy.limits().address_space_bytes == Bound::Unlimited {
        return Ok(hook::plain_arguments(&text, &program.arguments));
    }
    // It takes a millisecond, so it stands only where memory can run out.
    Ok(hook::runner_arguments(RUNNER, &text, &program.arguments))
}
