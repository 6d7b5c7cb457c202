//! The backend `seatbelt`: on a Mac the profile of a policy, applied by `sandbox-exec`; elsewhere a name
//! that says why it cannot be used.

use super::gaps::GAPS;
use super::host;
use crate::backend::{Backend, Confinement, Gap, Profile};
use crate::policy::Policy;
use crate::protection::{Protection, Support, Unavailable};
use std::collections::BTreeSet;

/// What it promises. Not among it: `Capabilities`, of which macOS has none.
const CLAIMS: [Protection; 10] = [
    Protection::FileRead,
    Protection::FileWrite,
    Protection::FileAttributes,
    Protection::Spawn,
    Protection::Execute,
    Protection::Network,
    Protection::OtherProcesses,
    Protection::KernelSurface,
    Protection::Descriptors,
    Protection::Environment,
];

/// Seatbelt.
#[derive(Clone, Debug)]
pub struct Seatbelt {
    name: &'static str,
}

/// Seatbelt, by its own name.
pub fn seatbelt() -> Seatbelt {
    named("seatbelt")
}

/// Seatbelt by another name.
pub(super) fn named(name: &'static str) -> Seatbelt {
    Seatbelt { name }
}

impl Backend for Seatbelt {
    fn name(&self) -> &str {
        self.name
    }

    fn profile(&self) -> Profile {
        Profile {
            mechanism: host::version().map(|version| format!("seatbelt/{version}")),
            layer: (self.name == "seatbelt").then_some("seatbelt"),
            warning: None,
            // What Seatbelt denies fails with EPERM; a descriptor that is not there with EBADF.
            errnos: BTreeSet::from([libc::EPERM, libc::EACCES, libc::EBADF]),
            signals: BTreeSet::new(),
            silent: false,
            // They are set, and no escape tries them here yet.
            keeps_limits: false,
            gaps: gaps(),
        }
    }

    fn support(&self) -> Support {
        host::support(&CLAIMS)
    }

    fn prepare(&self, policy: &Policy) -> Result<Box<dyn Confinement>, Unavailable> {
        host::prepare(policy)
    }
}

/// What it declares not to hold.
fn gaps() -> Vec<Gap> {
    let gap = |(escapes, reason): (&str, &str)| Gap {
        escapes: escapes.to_owned(),
        reason: reason.to_owned(),
    };
    GAPS.map(gap).into()
}
