//! One backend, made ready for each runtime: prepared once, launched from many threads.

use crate::escape::Limit;
use crate::host;
use crate::setting::Setting;
use backends::backend::{Backend, Confinement, Profile};
use reports::record::{BackendFacts, Runtime, User};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A backend with its confinements.
#[derive(Debug)]
pub struct Rig {
    /// What it says of itself.
    pub profile: Profile,
    /// What goes into the records.
    pub facts: BackendFacts,
    /// Whose programs it is to confine.
    pub user: User,
    backend: Box<dyn Backend>,
    confinements: BTreeMap<Runtime, Box<dyn Confinement>>,
}

/// What confines one act.
pub(crate) enum Confined<'a> {
    /// What all acts share.
    Shared(&'a dyn Confinement),
    /// What is this act's own.
    Narrowed(Box<dyn Confinement>),
}

impl Confined<'_> {
    pub(crate) fn get(&self) -> &dyn Confinement {
        match self {
            Self::Shared(confinement) => *confinement,
            Self::Narrowed(confinement) => &**confinement,
        }
    }
}

impl Rig {
    /// Prepares a backend for the runtimes that were asked for. One that cannot be used here becomes
    /// a rig without confinements, with the reason in its facts.
    pub fn new(backend: Box<dyn Backend>, setting: &Setting, runtimes: &[Runtime]) -> Self {
        let profile = backend.profile();
        let mut facts = BackendFacts {
            name: backend.name().to_owned(),
            mechanism: profile.mechanism.clone(),
            layer: profile.layer.map(str::to_owned),
            support: backend.support(),
            keeps_limits: profile.keeps_limits,
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
        Self { profile, facts, user: host::user(), backend, confinements }
    }

    /// The backend's name.
    pub fn name(&self) -> &str {
        &self.facts.name
    }

    /// The confinement of a runtime's programs, if the backend can be used here.
    pub fn confinement(&self, runtime: Runtime) -> Option<&dyn Confinement> {
        self.confinements.get(&runtime).map(|confinement| &**confinement)
    }

    /// The confinement of one act. Where the act is to exceed a limit and the backend promises to keep
    /// limits, that limit is narrowed to what the act exceeds.
    ///
    /// # Errors
    /// When the backend cannot apply the narrowed policy, with the reason.
    pub(crate) fn confinement_for(
        &self,
        setting: &Setting,
        runtime: Runtime,
        limit: Option<&Limit>,
    ) -> Result<Confined<'_>, String> {
        match limit {
            Some(limit) if self.profile.keeps_limits => {
                let policy =
                    setting.narrowed(runtime, limit.narrow).map_err(|error| error.to_string())?;
                let prepared = self.backend.prepare(&policy).map_err(|error| error.to_string())?;
                Ok(Confined::Narrowed(prepared))
            }
            Some(_) | None => self
                .confinement(runtime)
                .map(Confined::Shared)
                .ok_or_else(|| "the backend is not prepared for this runtime".to_owned()),
        }
    }

    /// The backend itself, to prepare it for another policy.
    pub fn backend(&self) -> &dyn Backend {
        &*self.backend
    }
}
