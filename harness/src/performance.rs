//! One start of a program in a world: launch it, look when it asks, wait for its death. What it did is the
//! world's to say.

use crate::words::Words;
use backends::backend::Confinement;
use backends::child::{Cause, Ended, Event, Exit, WaitError};
use backends::command::Command;
use backends::launch::LaunchError;
use fixtures::world::World;
use reports::record::Finish;

/// What one start of the program gave.
pub(crate) struct Performance {
    pub(crate) words: Words,
    pub(crate) output: Vec<u8>,
    pub(crate) error: Vec<u8>,
    pub(crate) finish: Finish,
}

/// Why a program could not be seen from its start to its end.
#[derive(Debug, thiserror::Error)]
pub enum PerformanceError {
    /// Nothing of it ran.
    #[error("launch the program: {0}")]
    Launch(#[from] LaunchError),
    /// It ran and could not be followed to its end.
    #[error("follow the program: {0}")]
    Follow(#[from] WaitError),
}

/// Starts the program, whose input is fed: each claim is answered by a byte when it was looked at.
pub(crate) fn perform(
    confinement: &dyn Confinement,
    command: Command,
    world: &mut World,
) -> Result<Performance, PerformanceError> {
    let mut child = confinement.launch(command)?;
    let mut words = Words::of(world.nonce());
    let (mut output, mut error) = (Vec::new(), Vec::new());
    let ended = loop {
        match child.next_event()? {
            Event::Output(bytes) => {
                for claim in words.hear(&bytes) {
                    world.look(child.id(), &claim);
                    child.feed(b".");
                }
                output.extend(bytes);
            }
            Event::Error(bytes) => error.extend(bytes),
            Event::Ended(ended) => break ended,
        }
    };
    Ok(Performance { words, output, error, finish: finish(&ended) })
}

/// How the program ended, with the launcher's reasons before the kernel's.
pub(crate) fn finish(ended: &Ended) -> Finish {
    match (ended.cause, ended.exit) {
        (Some(Cause::WallClock), _) => Finish::TimedOut,
        (Some(Cause::Output), _) => Finish::OutputCapped,
        (Some(Cause::RunDirectory), _) => Finish::QuotaExceeded,
        (Some(Cause::CpuTime), _) => Finish::CpuTimeExceeded,
        (None, Exit::Code(code)) => Finish::Exited(code),
        (None, Exit::Signal(signal)) => Finish::Signalled(signal),
    }
}
