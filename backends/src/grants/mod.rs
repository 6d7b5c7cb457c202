//! What a unit is granted, as data, and the policy that comes of it. S1 keeps a grant exactly or refuses
//! it: nothing is granted in name only.

#[cfg(target_os = "linux")]
mod links;
#[cfg(target_os = "linux")]
mod mounts;
mod refusal;
#[cfg(test)]
mod tests;

pub use refusal::Refusal;

use crate::policy::{Policy, PolicyBuilder};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// Everything that a unit may be given. What is not named is withheld, but for the clock and
/// randomness, which every native process has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grants {
    /// Files and directories, and what may be done with them.
    pub storage: Vec<Storage>,
    /// Whether the clock is given.
    pub clock: bool,
    /// Whether randomness is given.
    pub randomness: bool,
    /// The endpoints that may be connected to, as the caller writes them.
    pub network: BTreeSet<String>,
    /// Whether further processes may be started.
    pub subprocess: bool,
    /// Whether a browser is given.
    pub browser: bool,
    /// Whether a display is given.
    pub display: bool,
    /// Whether an accelerator is given.
    pub accelerator: bool,
    /// Whether a key-value store is given.
    pub key_value_store: bool,
    /// Whether files that may be written may have further names outside the grants. A write through
    /// one name is a write through all, so this must be said.
    pub shared_files: bool,
}

/// One place and what may be done with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Storage {
    /// An absolute path, free of symbolic links, to a file or a directory with all that is beneath.
    pub path: PathBuf,
    /// What may be done.
    pub access: Access,
}

/// What may be done with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Reading.
    Read,
    /// Reading and writing.
    Write,
}

/// Something beside storage that a unit may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words are those of the ladder")]
pub enum Resource {
    Clock,
    Randomness,
    Network,
    Subprocess,
    Browser,
    Display,
    Accelerator,
    KeyValueStore,
}

impl Resource {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Clock,
        Self::Randomness,
        Self::Network,
        Self::Subprocess,
        Self::Browser,
        Self::Display,
        Self::Accelerator,
        Self::KeyValueStore,
    ];

    /// Why S1 cannot keep what these grants say of it, if it cannot.
    fn refused(self, grants: &Grants) -> Option<&'static str> {
        const NEEDS_S2: &str = "it needs a managed runtime (S2)";
        let (asked, why) = match self {
            Self::Clock => {
                (!grants.clock, "the clock is withheld, which no native process can be denied")
            }
            Self::Randomness => (
                !grants.randomness,
                "randomness is withheld, which no native process can be denied",
            ),
            Self::Network => {
                (!grants.network.is_empty(), "egress cannot be limited to named endpoints")
            }
            Self::Subprocess => (grants.subprocess, NEEDS_S2),
            Self::Browser => (grants.browser, NEEDS_S2),
            Self::Display => (grants.display, NEEDS_S2),
            Self::Accelerator => (grants.accelerator, NEEDS_S2),
            Self::KeyValueStore => (grants.key_value_store, NEEDS_S2),
        };
        asked.then_some(why)
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Clock => "clock",
            Self::Randomness => "randomness",
            Self::Network => "network",
            Self::Subprocess => "subprocess",
            Self::Browser => "browser",
            Self::Display => "display",
            Self::Accelerator => "accelerator",
            Self::KeyValueStore => "key-value store",
        })
    }
}

impl Default for Grants {
    /// Nothing but the clock and randomness.
    fn default() -> Self {
        Self {
            storage: Vec::new(),
            clock: true,
            randomness: true,
            network: BTreeSet::new(),
            subprocess: false,
            browser: false,
            display: false,
            accelerator: false,
            key_value_store: false,
            shared_files: false,
        }
    }
}

impl Grants {
    /// Grants reading of a place too.
    #[must_use]
    pub fn read(mut self, path: impl Into<PathBuf>) -> Self {
        self.storage.push(Storage { path: path.into(), access: Access::Read });
        self
    }

    /// Grants reading and writing of a place too.
    #[must_use]
    pub fn write(mut self, path: impl Into<PathBuf>) -> Self {
        self.storage.push(Storage { path: path.into(), access: Access::Write });
        self
    }

    /// Checks that S1 can keep these grants, before anything is looked up.
    ///
    /// # Errors
    /// [`Refusal::Unenforceable`], with the first one that it cannot.
    pub fn enforceable(&self) -> Result<(), Refusal> {
        let refused = |grant: Resource| grant.refused(self).map(|why| (grant, why));
        match Resource::ALL.into_iter().find_map(refused) {
            Some((grant, why)) => Err(Refusal::Unenforceable { grant, why }),
            None => Ok(()),
        }
    }

    /// Checks what the text of each place tells alone. Nothing is looked up, for the place may not be there yet.
    ///
    /// # Errors
    /// [`Refusal::Place`] with the first grant that no host could keep.
    pub fn stated(&self) -> Result<(), Refusal> {
        let mut places = self.storage.iter();
        places.try_for_each(|storage| crate::policy::plain(&storage.path).map(drop))?;
        Ok(())
    }

    /// Checks what can be told from each grant by itself: that S1 can keep it, and that a place is a plain
    /// existing path.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn check(&self) -> Result<(), Refusal> {
        Policy::builder().each(self).map(drop)
    }

    /// Refuses a grant that holds a place which must stay the host's own. What lies where is decided by
    /// the identity of directories: one directory can have several spellings.
    ///
    /// # Errors
    /// [`Refusal::Protected`] with the grant and the place.
    pub fn spare(&self, protected: &Path) -> Result<(), Refusal> {
        match self.storage.iter().find(|storage| crate::policy::holds(&storage.path, protected)) {
            Some(storage) => Err(Refusal::Protected {
                grant: storage.path.clone(),
                protected: protected.to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// Whether a path may be written, because it is or lies in a write grant.
    pub fn gives_writing(&self, path: &Path) -> bool {
        let mut storage = self.storage.iter();
        storage.any(|storage| {
            storage.access == Access::Write && crate::policy::holds(&storage.path, path)
        })
    }

    /// What is mounted and linked in the granted places, which their paths do not tell.
    fn look_inside(&self) -> Result<(), Refusal> {
        #[cfg(target_os = "linux")]
        {
            mounts::refuse_beneath(&self.storage)?;
            if !self.shared_files {
                links::refuse_shared(&self.storage)?;
            }
        }
        Ok(())
    }
}

impl PolicyBuilder {
    /// Adds what is granted.
    ///
    /// # Errors
    /// When S1 cannot keep one of the grants: see [`Refusal`].
    pub fn grants(self, grants: &Grants) -> Result<Self, Refusal> {
        let builder = self.each(grants)?;
        grants.look_inside()?;
        Ok(builder)
    }

    fn each(mut self, grants: &Grants) -> Result<Self, Refusal> {
        grants.enforceable()?;
        for storage in &grants.storage {
            self = match storage.access {
                Access::Read => self.read(&storage.path)?,
                Access::Write => self.write(&storage.path)?,
            };
        }
        Ok(self)
    }
}

impl Policy {
    /// The policy that gives exactly these grants.
    ///
    /// # Errors
    /// When S1 cannot keep one of the grants: see [`Refusal`].
    pub fn from_grants(grants: &Grants) -> Result<Self, Refusal> {
        Ok(Self::builder().grants(grants)?.build()?)
    }
}
