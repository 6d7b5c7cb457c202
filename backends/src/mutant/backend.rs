//! A backend whose enforcement was changed. It commits to nothing.

use super::edit::Edit;
use crate::backend::{Backend, Confinement, Profile};
use crate::enforcement::Enforcement;
use crate::launch::Prepared;
use crate::layered::{Applied, Layered};
use crate::policy::Policy;
use crate::protection::{Support, Unavailable};
use std::sync::Arc;

/// A backend of own layers with changes.
#[derive(Clone, Debug)]
pub struct Mutated {
    backend: Layered,
    edits: Vec<Edit>,
}

impl Mutated {
    /// The backend after these changes, made in their order.
    pub fn new(backend: Layered, edits: Vec<Edit>) -> Self {
        Self { backend, edits }
    }

    /// Everything that the kernel would be told for this policy.
    ///
    /// # Errors
    /// When this processor has no filter.
    pub fn enforcement(&self, policy: &Policy) -> Result<Enforcement, Unavailable> {
        let mut enforcement = self.backend.enforcement(policy)?;
        self.edits.iter().for_each(|edit| edit.apply(&mut enforcement));
        Ok(enforcement)
    }
}

impl Backend for Mutated {
    fn name(&self) -> &str {
        self.backend.name()
    }

    fn profile(&self) -> Profile {
        self.backend.profile()
    }

    /// Nothing is claimed: what is left is for the escapes to find out.
    fn support(&self) -> Support {
        Support { protections: Vec::new() }
    }

    fn prepare(&self, policy: &Policy) -> Result<Box<dyn Confinement>, Unavailable> {
        let prepared = Prepared::new(self.enforcement(policy)?)?;
        Ok(Box::new(Applied { prepared: Arc::new(prepared), commitment: None }))
    }
}
