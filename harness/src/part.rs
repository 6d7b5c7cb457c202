//! One performance of a part of the stage, for whoever has a protocol of his own.

use crate::performance::{Performance, PerformanceError, perform};
use crate::scene;
use crate::setting::Setting;
use crate::stage::STAGE;
use backends::backend::Confinement;
use backends::command::{Command, Input};
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

/// Plays the part of this name in the world, which is told it with `more` clues.
///
/// # Errors
/// See [`PerformanceError`].
pub fn play(
    setting: &Setting,
    confinement: &dyn Confinement,
    world: &mut World,
    part: &str,
    more: &[(&str, OsString)],
) -> Result<Heard, PerformanceError> {
    let mut command = Command::new(&setting.native.image, world.run());
    command.arguments = vec![STAGE.into(), part.into()];
    let clues = world.clues();
    command.arguments.extend(clues.iter().map(|(key, value)| scene::argument(key, value)));
    command.arguments.push(scene::argument("nonce", world.nonce().as_ref()));
    command.arguments.extend(more.iter().map(|(key, value)| scene::argument(key, value)));
    command.input = Input::Fed;
    command.surroundings = world.environment();
    let Performance { words, output, error, finish } = perform(confinement, command, world)?;
    Ok(Heard { words: words.others, output, error, finish })
}
