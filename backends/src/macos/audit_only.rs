//! macOS. The backend `audit-only`: hygiene, limits, and the Python hook, which a program can walk
//! round. It is an explicit opt-out of confinement and must be asked for by name.

use super::bare::Bare;

/// Hygiene and limits without Seatbelt.
pub fn audit_only() -> Bare {
    Bare {
        name: "audit-only",
        warning: Some(
            "audit-only is NOT a sandbox: native code and a determined Python program do what they like",
        ),
        clean: true,
    }
}
