//! One read of a descriptor that does not wait.

use std::fs::File;
use std::io;

/// Reads once, into room that nobody has to clear first.
pub(super) fn read_some(file: &File, buffer: &mut Vec<u8>) -> io::Result<usize> {
    buffer.clear();
    Ok(rustix::io::read(file, rustix::buffer::spare_capacity(buffer))?)
}

/// Whether it is worth trying again when the descriptor is ready.
pub(super) fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
