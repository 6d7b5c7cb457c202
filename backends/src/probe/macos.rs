//! macOS. The probe of a backend, by the self-test of Seatbelt, which is made once for each process and
//! starts tools of the system bare and under the production profile.

use super::{Earned, NotEarned, Probe, Way};
use crate::backend::Backend;
use crate::macos::seatbelt::Seatbelt;
use crate::native::native;
use crate::policy::Policy;
use crate::protection::{Protection, State, Support};
use std::collections::BTreeMap;

/// What earns S1 here. Seatbelt denies looking at a path as it denies reading: there is no more to hide.
pub(crate) fn sandbox(_hides_metadata: bool) -> Seatbelt {
    native()
}

/// The rung of this host under a backend.
pub fn of(backend: &dyn Backend) -> Probe {
    let support = backend.support();
    let state = |protection| {
        let found = support.protections.iter().find(|seen| seen.protection == protection);
        found.map(|seen| &seen.state)
    };
    let seen = Way::ALL.into_iter().filter_map(|way| match state(protection(way))? {
        State::Active => Some((way, (true, false))),
        State::Unavailable(_) => None,
    });
    let seen: BTreeMap<Way, (bool, bool)> = seen.collect();
    Probe { rung: earn(backend, &support, &seen), seen }
}

/// The protection whose denial shows that a way is closed.
fn protection(way: Way) -> Protection {
    match way {
        Way::FileRead => Protection::FileRead,
        Way::FileWrite => Protection::FileWrite,
        Way::Subprocess => Protection::Spawn,
        Way::Loopback => Protection::Network,
    }
}

fn earn(
    backend: &dyn Backend,
    support: &Support,
    seen: &BTreeMap<Way, (bool, bool)>,
) -> Result<Earned, NotEarned> {
    if let Some((protection, why)) = support.missing().next() {
        return Err(NotEarned::Protection { protection: protection.name(), why: why.to_owned() });
    }
    if let Some(way) = Way::ALL.into_iter().find(|way| !seen.contains_key(way)) {
        return Err(NotEarned::Control(way));
    }
    let unavailable = |error: &dyn std::fmt::Display| NotEarned::Unavailable(error.to_string());
    let policy = Policy::builder().build().map_err(|error| unavailable(&error))?;
    let confinement = backend.prepare(&policy).map_err(|error| unavailable(&error))?;
    match (backend.profile().mechanism, confinement.commitment()) {
        (Some(mechanism), Some(commitment)) => Ok(Earned { mechanism, commitment, policy }),
        (None, _) | (_, None) => Err(NotEarned::Uncommitted(backend.name().to_owned())),
    }
}
