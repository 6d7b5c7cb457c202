//! What all acts share: they stay as they are until the watcher has seen it, and give up in the end.

use harness::escape::{Bar, Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;
use std::time::{Duration, Instant};

/// A limit as it is tried here.
pub(super) const LIMIT: Escape =
    Escape { bar: Bar::Limit, stops: &[Layer::Limits], twin: Twin::OwnFile, ..Escape::BLANK };

/// Longer than any watcher needs.
const LONGEST: Duration = Duration::from_secs(15);

/// Whether the watcher has seen what the act uses.
pub(super) fn seen(scene: &Scene) -> bool {
    scene.run().join("seen").exists()
}

/// Does `step` until the watcher has seen the act.
///
/// # Errors
/// When it does not see it: then nothing is shown.
pub(super) fn until_seen(scene: &Scene, mut step: impl FnMut()) -> io::Result<Vec<u8>> {
    let begin = Instant::now();
    while begin.elapsed() < LONGEST {
        if seen(scene) {
            return Ok(Vec::new());
        }
        step();
    }
    Err(io::ErrorKind::TimedOut.into())
}

/// Stays idle until the watcher has seen the act.
///
/// # Errors
/// As [`until_seen`].
pub(super) fn idle(scene: &Scene) -> io::Result<Vec<u8>> {
    until_seen(scene, || std::thread::sleep(Duration::from_millis(5)))
}
