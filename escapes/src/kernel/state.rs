//! Shows a change of the program's own state to the watcher.

use harness::scene::Scene;
use std::io;

/// Lets the watcher look before and after `act`, and then undoes it.
pub(super) fn changed(
    scene: &Scene,
    act: impl FnOnce() -> io::Result<()>,
    undo: impl FnOnce() -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    scene.show("baseline")?;
    act()?;
    let shown = scene.show("check");
    undo()?;
    shown?;
    Ok(Vec::new())
}
