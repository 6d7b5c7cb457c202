//! What acts return whose effect lies outside: they win no bytes.

use std::io;

/// Success without bytes, or the error of the call.
pub(crate) fn done<T, E: Into<io::Error>>(result: Result<T, E>) -> io::Result<Vec<u8>> {
    result.map(|_| Vec::new()).map_err(Into::into)
}
