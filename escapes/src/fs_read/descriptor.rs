//! What the files of this family share: what an open descriptor holds.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;

/// Everything from the descriptor's position to its end.
pub(super) fn contents(descriptor: OwnedFd) -> io::Result<Vec<u8>> {
    let mut loot = Vec::new();
    File::from(descriptor).read_to_end(&mut loot)?;
    Ok(loot)
}
