//! The inside of a trial: this same binary, started again as the program under trial. Only the
//! hidden first argument `--stage` leads here.

use crate::escape::Escape;
use crate::scene::Scene;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

/// The hidden first argument.
pub const STAGE: &str = "--stage";

/// What the stage can play besides escapes: useful work, helper processes of a world.
pub type Part = fn(&Scene, &[OsString]) -> io::Result<()>;

/// Plays the part that the command line asks for, or returns `None` when it asks for none.
/// To be called first in `main`, before anything is started or printed.
pub fn play(escapes: &[&Escape], parts: &[(&str, Part)]) -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != STAGE {
        return None;
    }
    let name = arguments.next()?;
    let rest: Vec<OsString> = arguments.collect();
    let scene = Scene::from_arguments(rest.iter().cloned());
    let name = name.to_str()?;
    if let Some((_, part)) = parts.iter().find(|(known, _)| *known == name) {
        return Some(match part(&scene, &rest) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_error) => ExitCode::FAILURE,
        });
    }
    let escape = escapes.iter().find(|escape| escape.id == name)?;
    Some(match perform(escape, &scene) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_error) => ExitCode::FAILURE,
    })
}

/// Twin, attempt, twin. With the clue `phase=twin` the second twin alone.
fn perform(escape: &Escape, scene: &Scene) -> io::Result<()> {
    scene.say("started")?;
    if scene.text("phase").is_ok_and(|phase| phase == "twin") {
        return twin(escape, scene, "after");
    }
    twin(escape, scene, "before")?;
    let Some(attempt) = escape.native else {
        return scene.say("answer exception NoNativeForm");
    };
    scene.say("reached")?;
    match attempt(scene) {
        Ok(loot) => {
            scene.emit(&loot)?;
            scene.say("answer done")?;
        }
        Err(error) => match error.raw_os_error() {
            Some(errno) => scene.say(&format!("answer errno {errno}"))?,
            None => scene.say(&format!("answer exception {:?} {error}", error.kind()))?,
        },
    }
    twin(escape, scene, "after")
}

fn twin(escape: &Escape, scene: &Scene, moment: &str) -> io::Result<()> {
    match escape.twin.perform(scene, moment) {
        Ok(()) => scene.say(&format!("twin-{moment} ok")),
        Err(error) => scene.say(&format!("twin-{moment} {error}")),
    }
}
