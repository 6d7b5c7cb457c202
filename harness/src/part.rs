//! One start of a part of the stage in a world, for whoever has a protocol of his own: launch, look when
//! it asks, wait for its death. What it did is the world's to say.

use crate::scene;
use crate::setting::Setting;
use crate::stage::STAGE;
use crate::trial::finish;
use crate::words::Words;
use backends::backend::Confinement;
use backends::child::{Event, WaitError};
use backends::command::{Command, Input};
use backends::launch::LaunchError;
use fixtures::world::World;
use reports::record::Finish;
use std::ffi::OsString;

/// What one start of a part gave.
#[derive(Debug)]
pub struct Heard {
    /// The words that it said, in order.
    pub words: Vec<String>,
    /// All that it wrote to standard output.
    pub output: Vec<u8>,
    /// All that it wrote to standard error.
    pub error: Vec<u8>,
    /// How it ended.
    pub finish: Finish,
}

/// Why a part could not be played.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// Nothing of it ran.
    #[error("launch the program: {0}")]
    Launch(#[from] LaunchError),
    /// It ran and could not be followed to its end.
    #[error("follow the program: {0}")]
    Follow(#[from] WaitError),
}

/// Plays the part of this name in the world, which is told it with `more` clues.
///
/// # Errors
/// See [`PartError`].
pub fn play(
    setting: &Setting,
    confinement: &dyn Confinement,
    world: &mut World,
    part: &str,
    more: &[(&str, OsString)],
) -> Result<Heard, PartError> {
    let mut command = Command::new(&setting.native.image, world.run());
    command.arguments = vec![STAGE.into(), part.into()];
    let clues = world.clues();
    command.arguments.extend(clues.iter().map(|(key, value)| scene::argument(key, value)));
    command.arguments.push(scene::argument("nonce", world.nonce().as_ref()));
    command.arguments.extend(more.iter().map(|(key, value)| scene::argument(key, value)));
    command.input = Input::Fed;
    command.surroundings = world.environment();
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
    Ok(Heard { words: words.others, output, error, finish: finish(&ended) })
}
