//! macOS. What this host's Seatbelt can do, and a policy made ready to be applied by it.

use super::bare::{Applied, bounded};
use super::launch::{SANDBOX_EXEC, Setup};
use super::profile::Profile;
use super::self_test;
use super::streams::kernel_path;
use crate::backend::Confinement;
use crate::policy::{Place, Policy};
use crate::protection::{Protection, Reason, Seen, State, Support, Unavailable};
use std::path::Path;

/// Where the version of the system stands. Reading it needs no sandboxed service.
const VERSION: &str = "/System/Library/CoreServices/SystemVersion.plist";

/// The version of macOS, of which Seatbelt is a part.
pub(super) fn version() -> Option<String> {
    let text = std::fs::read_to_string(VERSION).ok()?;
    let (_, after) = text.split_once("<key>ProductVersion</key>")?;
    let (_, after) = after.split_once("<string>")?;
    Some(after.split_once("</string>")?.0.to_owned())
}

/// What was seen to be denied, once a process.
pub(super) fn support(claims: &[Protection]) -> Support {
    let seen = |protection: &Protection| {
        let state = match self_test::answers() {
            Ok(answers) => answers.get(protection).cloned().unwrap_or_else(|| {
                State::Unavailable("no act of the self-test shows it".to_owned())
            }),
            Err(why) => State::Unavailable(why.clone()),
        };
        Seen { protection: *protection, state }
    };
    Support { protections: claims.iter().map(seen).collect() }
}

/// Makes a policy ready. A host whose self-test did not see every denial confines nothing.
pub(super) fn prepare(policy: &Policy) -> Result<Box<dyn Confinement>, Unavailable> {
    let setup = setup(policy)?;
    match self_test::answers() {
        Err(why) => return Err(lost(Protection::FileRead, why.clone())),
        Ok(answers) => {
            for (protection, state) in answers {
                if let State::Unavailable(why) = state {
                    return Err(lost(*protection, why.clone()));
                }
            }
        }
    }
    Ok(Box::new(Applied { setup, commitment: Some(policy.commitment()) }))
}

/// The setup of a policy, if its profile means one thing and its paths are the kernel's.
pub(super) fn setup(policy: &Policy) -> Result<Setup, Unavailable> {
    bounded(policy)?;
    let profile =
        Profile::of(policy).map_err(|error| lost(Protection::FileRead, error.to_string()))?;
    for (_, place) in &profile.parameters {
        if let Place::Path(path) = place {
            spelt(path)?;
        }
    }
    // The run directory is not known yet; the shape of the rules does not depend on it.
    profile
        .evaluator(super::rules::Values::new())
        .map_err(|refused| lost(Protection::FileRead, refused.to_string()))?;
    Ok(Setup {
        profile: Some(profile),
        environment: Some(policy.environment().clone()),
        close_descriptors: true,
        limits: policy.limits().clone(),
    })
}

/// Refuses a path that the kernel spells differently: a rule on it would match nothing.
fn spelt(path: &str) -> Result<(), Unavailable> {
    let kernel = kernel_path(Path::new(path)).map_err(|source| Unavailable {
        protection: Protection::FileRead,
        call: "fcntl(F_GETPATH)",
        reason: Reason::Path { path: path.into(), source },
        remedy: "grant what exists and can be opened",
    })?;
    if kernel == path.as_bytes() {
        return Ok(());
    }
    let kernel = String::from_utf8_lossy(&kernel);
    Err(lost(Protection::FileRead, format!("{path:?} is {kernel:?} to the kernel: grant that")))
}

fn lost(protection: Protection, why: String) -> Unavailable {
    Unavailable {
        protection,
        call: SANDBOX_EXEC,
        reason: Reason::Behaviour(why),
        remedy: "see docs/macos.md; nothing was started",
    }
}
