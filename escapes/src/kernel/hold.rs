//! Shows a new kernel object to the watcher, for most escapes of this family end with holding one.

use crate::raw;
use harness::scene::Scene;
use std::io;

/// Makes a system call that answers with a descriptor, shows the descriptor by a part of its link in
/// `/proc`, and closes it.
pub(super) fn hold(
    scene: &Scene,
    number: i64,
    arguments: [usize; 6],
    link: &str,
) -> io::Result<Vec<u8>> {
    let _held = raw::descriptor(number, arguments)?;
    scene.show(&format!("descriptor {link}"))?;
    Ok(Vec::new())
}
