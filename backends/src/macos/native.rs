//! macOS. The backend `native` is Seatbelt.

use super::seatbelt::{Seatbelt, named};

/// Seatbelt, as this system's own sandbox.
pub fn native() -> Seatbelt {
    named("native")
}
