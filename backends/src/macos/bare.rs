//! macOS. The backends without a profile: what a launch does by itself.

use super::launch::{Setup, launch};
use crate::backend::{Backend, Confinement, Profile};
use crate::child::Child;
use crate::command::Command;
use crate::launch::LaunchError;
use crate::policy::{Bound, Commitment, Policy};
use crate::protection::{Protection, Reason, Support, Unavailable};
use std::collections::BTreeSet;

/// A backend without a profile.
#[derive(Clone, Debug)]
pub struct Bare {
    pub(super) name: &'static str,
    pub(super) warning: Option<&'static str>,
    /// Whether environment and descriptors are scrubbed.
    pub(super) clean: bool,
}

impl Backend for Bare {
    fn name(&self) -> &str {
        self.name
    }

    fn profile(&self) -> Profile {
        let errnos = if self.clean { BTreeSet::from([libc::EBADF]) } else { BTreeSet::new() };
        Profile { warning: self.warning, errnos, ..Profile::default() }
    }

    fn support(&self) -> Support {
        Support { protections: Vec::new() }
    }

    fn prepare(&self, policy: &Policy) -> Result<Box<dyn Confinement>, Unavailable> {
        bounded(policy)?;
        let environment = self.clean.then(|| policy.environment().clone());
        let limits = policy.limits().clone();
        let setup = Setup { profile: None, environment, close_descriptors: self.clean, limits };
        Ok(Box::new(Applied { setup, commitment: None }))
    }
}

/// Refuses a bound that is not known to leave room for a start.
pub(super) fn bounded(policy: &Policy) -> Result<(), Unavailable> {
    match policy.limits().address_space_bytes {
        Bound::Unlimited => Ok(()),
        Bound::At(bytes) => Err(Unavailable {
            protection: Protection::KernelSurface,
            call: "setrlimit(RLIMIT_AS)",
            reason: Reason::Behaviour(format!(
                "a memory limit of {bytes} bytes cannot be kept: {}",
                super::gaps::MEMORY
            )),
            remedy: "leave the memory unlimited here",
        }),
    }
}

/// A setup that is launched.
#[derive(Debug)]
pub(super) struct Applied {
    pub(super) setup: Setup,
    pub(super) commitment: Option<Commitment>,
}

impl Confinement for Applied {
    fn launch(&self, command: Command) -> Result<Child, LaunchError> {
        launch(&self.setup, command)
    }

    fn commitment(&self) -> Option<Commitment> {
        self.commitment
    }

    fn artefact(&self) -> Vec<u8> {
        self.setup.profile.as_ref().map(super::profile::Profile::artefact).unwrap_or_default()
    }
}
