//! Linux. The probe of a backend, by a program that it brings along.

use super::arm::{Arm, ArmError, Scene};
use super::{Earned, NotEarned, Probe, Way};
use crate::backend::Backend;
use crate::layered::Layered;
use crate::native::{native, native_hidden};
use crate::none::none;
use std::collections::BTreeMap;

/// What earns S1 here, without or with a mount namespace.
pub(crate) fn sandbox(hides_metadata: bool) -> Layered {
    if hides_metadata { native_hidden() } else { native() }
}

/// The rung of this host under a backend, found out now.
pub fn of(backend: &Layered) -> Probe {
    let mut seen = BTreeMap::new();
    let rung = earn(backend, &mut seen);
    Probe { rung, seen }
}

fn earn(backend: &Layered, seen: &mut BTreeMap<Way, (bool, bool)>) -> Result<Earned, NotEarned> {
    let unavailable = |why: String| NotEarned::Unavailable(why);
    let scene = Scene::set().map_err(|error| unavailable(error.to_string()))?;
    let policy = scene.policy().map_err(|error| unavailable(error.to_string()))?;
    let bare = none().prepare(&policy).map_err(|error| unavailable(error.to_string()))?;
    let confined = backend.prepare(&policy).map_err(|error| unavailable(error.to_string()))?;
    let run = |confinement, name| {
        scene.run(confinement, name).map_err(|error: ArmError| unavailable(error.to_string()))
    };
    let control: Arm = run(&*bare, "control")?;
    let attempt: Arm = run(&*confined, "attempt")?;
    for way in Way::ALL {
        seen.insert(way, (control.out.contains(&way), attempt.out.contains(&way)));
    }
    judge(&control, &attempt)?;
    if let Some((protection, why)) = backend.support().missing().next() {
        let protection = protection.name();
        return Err(NotEarned::Protection { protection, why: why.to_owned() });
    }
    let mechanism = backend.profile().mechanism;
    match (mechanism, confined.commitment()) {
        (Some(mechanism), Some(commitment)) => Ok(Earned { mechanism, commitment, policy }),
        (None, _) | (_, None) => Err(NotEarned::Uncommitted(backend.name().to_owned())),
    }
}

/// Whether what was seen carries the rung. An escape is named before a broken control: it is worse.
fn judge(control: &Arm, attempt: &Arm) -> Result<(), NotEarned> {
    if let Some(way) = attempt.out.iter().next() {
        return Err(NotEarned::Escaped(*way));
    }
    if let Some(way) = Way::ALL.into_iter().find(|way| !control.out.contains(way)) {
        return Err(NotEarned::Control(way));
    }
    if attempt.own && control.own { Ok(()) } else { Err(NotEarned::Own) }
}
