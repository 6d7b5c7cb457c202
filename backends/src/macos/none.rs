//! macOS. The backend `none`: a bare child process with a deadline and an output cap. It is the control
//! of every trial and earns nothing.

use super::bare::Bare;

/// A bare child process.
pub fn none() -> Bare {
    Bare { name: "none", warning: None, clean: false }
}
