//! One backend, made ready for each runtime: prepared once, launched from many threads.

use crate::setting::Setting;
use backends::backend::{Backend, Confinement, Profile};
use reports::record::{BackendFacts, Runtime};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A backend with its confinements.
#[derive(Debug)]
pub struct Rig {
    /// What it says of itself.
    pub profile: Profile,
    /// What goes into the records.
    pub facts: BackendFacts,
    backend: Box<dyn Backend>,
    confinements: BTreeMap<Runtime, Box<dyn Confinement>>,
}

impl Rig {
    /// Prepares a backend for the runtimes that were asked for. One that cannot be used here becomes
    /// a rig without confinements, with the reason in its facts.
    pub fn new(backend: Box<dyn Backend>, setting: &Setting, runtimes: &[Runtime]) -> Self {
        let profile = backend.profile();
        let mut facts = BackendFacts {
            name: backend.name().to_owned(),
            mechanism: profile.mechanism.clone(),
            support: backend.support(),
            commitment: None,
            artefact: None,
            warning: profile.warning.map(str::to_owned),
            unavailable: None,
        };
        let mut confinements = BTreeMap::new();
        let mut artefact = Sha256::new();
        let mut commitments = Vec::new();
        for runtime in runtimes {
            let prepared = setting
                .policy(*runtime)
                .map_err(|error| error.to_string())
                .and_then(|policy| backend.prepare(&policy).map_err(|error| error.to_string()));
            match prepared {
                Ok(confinement) => {
                    artefact.update(confinement.artefact());
                    commitments.extend(
                        confinement
                            .commitment()
                            .map(|commitment| format!("{} {commitment}", runtime.name())),
                    );
                    confinements.insert(*runtime, confinement);
                }
                Err(reason) => {
                    facts.unavailable.get_or_insert(reason);
                }
            }
        }
        if facts.unavailable.is_some() {
            confinements.clear();
        } else {
            facts.artefact = Some(hex::encode(artefact.finalize()));
            facts.commitment = (!commitments.is_empty()).then(|| commitments.join(", "));
        }
        Self { profile, facts, backend, confinements }
    }

    /// The backend's name.
    pub fn name(&self) -> &str {
        &self.facts.name
    }

    /// The confinement of a runtime's programs, if the backend can be used here.
    pub fn confinement(&self, runtime: Runtime) -> Option<&dyn Confinement> {
        self.confinements.get(&runtime).map(|confinement| &**confinement)
    }

    /// The backend itself, to prepare it for another policy.
    pub fn backend(&self) -> &dyn Backend {
        &*self.backend
    }
}
