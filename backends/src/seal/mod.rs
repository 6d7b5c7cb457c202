//! The sealed record of one run: what was applied, what ran, how it ended, what it used. Nobody can
//! write one down: its tier, mechanism and commitment are taken from the confinement that was applied.

mod record;
mod verify;

pub use verify::{Verified, VerifyError, verify};

use crate::audit_only::audit_only;
use crate::backend::{Backend, Confinement};
use crate::child::{Child, Ended};
use crate::command::Command;
use crate::grants::Refusal;
use crate::launch::LaunchError;
use crate::meter::Energy;
use crate::none::none;
use crate::policy::{Commitment, Limits, Policy};
use crate::probe::{Earned, NotEarned, sandbox};
use crate::protection::Unavailable;
use crate::tier::Tier;
use crate::unit::{Unit, UnitDigest};
use serde_json::Value;

/// Why a unit ran without a sandbox.
#[derive(Debug, thiserror::Error)]
pub enum Unconfined {
    /// S1 cannot keep its grants.
    #[error(transparent)]
    Grants(Refusal),
    /// This host has not earned S1.
    #[error("this host has not earned S1: {0}")]
    Host(NotEarned),
    /// The caller asked for it by name.
    #[error("the caller asked for {0}")]
    Asked(&'static str),
}

/// What was applied to a program.
#[derive(Debug)]
enum Rung {
    S1 { mechanism: String, commitment: Commitment, policy: Box<Policy> },
    S0 { why: Unconfined },
}

/// A confinement that is ready, and what a seal will say of it. The two are made together.
#[derive(Debug)]
pub(crate) struct Applied {
    confinement: Box<dyn Confinement>,
    rung: Rung,
}

impl Applied {
    /// The policy, applied by the mechanism that earned the rung.
    ///
    /// # Errors
    /// When it cannot be applied. Nothing runs.
    pub(crate) fn confined(
        policy: Policy,
        earned: &Earned,
        hides_metadata: bool,
    ) -> Result<Self, Unavailable> {
        let sandbox = sandbox(hides_metadata);
        let confinement = sandbox.prepare(&policy)?;
        let mechanism = earned.mechanism().to_owned();
        let rung = match confinement.commitment() {
            Some(commitment) => Rung::S1 { mechanism, commitment, policy: Box::new(policy) },
            None => {
                let why = NotEarned::Uncommitted(sandbox.name().to_owned());
                Rung::S0 { why: Unconfined::Host(why) }
            }
        };
        Ok(Self { confinement, rung })
    }

    /// Nothing but limits.
    ///
    /// # Errors
    /// When even those cannot be prepared.
    pub(crate) fn bare(limits: &Limits, why: Unconfined) -> Result<Self, Unavailable> {
        let confinement = none().prepare(&Policy::of_limits(limits.clone()))?;
        Ok(Self { confinement, rung: Rung::S0 { why } })
    }

    /// Hygiene and limits, which are no sandbox.
    ///
    /// # Errors
    /// When they cannot be prepared.
    pub(crate) fn audit_only(policy: &Policy) -> Result<Self, Unavailable> {
        let confinement = audit_only().prepare(policy)?;
        Ok(Self { confinement, rung: Rung::S0 { why: Unconfined::Asked("audit-only") } })
    }

    /// Launches a program under it.
    ///
    /// # Errors
    /// See [`LaunchError`]. Nothing of the program ran.
    pub(crate) fn launch(&self, command: Command) -> Result<Child, LaunchError> {
        self.confinement.launch(command)
    }
}

/// What a program wrote to one stream, by digest; and itself, if it was captured.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) bytes: u64,
    pub(crate) digest: [u8; 32],
    pub(crate) captured: Option<Vec<u8>>,
}

/// What became of a program, beside what was applied to it.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) ended: Ended,
    pub(crate) energy: Energy,
    pub(crate) output: Stream,
    pub(crate) error: Stream,
}

/// The sealed record of one run.
#[derive(Debug)]
pub struct Sealed {
    rung: Rung,
    unit: Value,
    digest: UnitDigest,
    outcome: Outcome,
}

impl Sealed {
    /// Seals what was applied and what came of it.
    pub(crate) fn of(applied: Applied, unit: &Unit, outcome: Outcome) -> Self {
        Self { rung: applied.rung, unit: unit.canonical(), digest: unit.digest(), outcome }
    }

    /// The rung: S1, or S0.
    pub fn tier(&self) -> Tier {
        match self.rung {
            Rung::S1 { .. } => Tier::S1,
            Rung::S0 { .. } => Tier::S0,
        }
    }

    /// What confined the program; nothing at S0.
    pub fn mechanism(&self) -> Option<&str> {
        match &self.rung {
            Rung::S1 { mechanism, .. } => Some(mechanism),
            Rung::S0 { .. } => None,
        }
    }

    /// The commitment to the policy that was applied; nothing at S0.
    pub fn commitment(&self) -> Option<Commitment> {
        match &self.rung {
            Rung::S1 { commitment, .. } => Some(*commitment),
            Rung::S0 { .. } => None,
        }
    }

    /// Why the program ran without a sandbox, if it did.
    pub fn unconfined(&self) -> Option<&Unconfined> {
        match &self.rung {
            Rung::S1 { .. } => None,
            Rung::S0 { why } => Some(why),
        }
    }

    /// The digest of the unit.
    pub fn unit(&self) -> UnitDigest {
        self.digest
    }

    /// How the program ended, and what it used.
    pub fn ended(&self) -> &Ended {
        &self.outcome.ended
    }

    /// The energy that it took.
    pub fn energy(&self) -> &Energy {
        &self.outcome.energy
    }

    /// What it wrote to standard output, if that was captured.
    pub fn output(&self) -> Option<&[u8]> {
        self.outcome.output.captured.as_deref()
    }

    /// What it wrote to standard error, if that was captured.
    pub fn error(&self) -> Option<&[u8]> {
        self.outcome.error.captured.as_deref()
    }
}
