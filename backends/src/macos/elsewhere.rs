//! Where there is no Seatbelt: it says so, and nothing runs.

use crate::backend::Confinement;
use crate::policy::Policy;
use crate::protection::{Protection, Reason, Seen, State, Support, Unavailable};

/// What every protection of it is here.
const ABSENT: &str = "Seatbelt is a part of macOS";

pub(super) fn support(claims: &[Protection]) -> Support {
    let absent = || State::Unavailable(format!("{ABSENT}, this is {}", std::env::consts::OS));
    let seen = |protection: &Protection| Seen { protection: *protection, state: absent() };
    Support { protections: claims.iter().map(seen).collect() }
}

/// Seatbelt's version here.
pub(super) fn version() -> Option<String> {
    None
}

pub(super) fn prepare(_policy: &Policy) -> Result<Box<dyn Confinement>, Unavailable> {
    Err(Unavailable {
        protection: Protection::FileRead,
        call: "/usr/bin/sandbox-exec",
        reason: Reason::Behaviour(format!("{ABSENT}, this is {}", std::env::consts::OS)),
        remedy: "use the backend native",
    })
}
