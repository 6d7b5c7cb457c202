//! What a program may do, as plain data. A policy is validated when it is built, and everything else
//! (Landlock rules, the filter, the Python hook, the digest) is a function of it.

mod canonical;
mod capabilities;
mod grant;
mod limits;

pub use canonical::Commitment;
pub(crate) use canonical::digest_of_canonical;
pub use grant::{Grant, GrantError, Identity, Kind, Place};
pub(crate) use grant::{holds, plain};
pub use limits::{Bound, Limits};

use crate::discover::Needs;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The text that stands for the run directory, which is fresh for each program, wherever a policy
/// names it: as a granted place and inside environment values.
pub const RUN: &str = "{run}";

/// The text that stands for the file that holds a program's text, which is fresh for each program too.
pub const PROGRAM: &str = "{program}";

/// What a program may read, write and execute, its environment, and its limits. There is no network
/// and there are no further processes: no grant can give them at S1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Policy {
    read: BTreeSet<Grant>,
    write: BTreeSet<Grant>,
    execute: BTreeSet<Grant>,
    environment: BTreeMap<String, String>,
    limits: Limits,
}

impl Policy {
    /// Begins a policy: the run directory may be written, nothing else may be touched.
    pub fn builder() -> PolicyBuilder {
        PolicyBuilder {
            read: BTreeSet::new(),
            write: BTreeSet::from([Grant::run_directory()]),
            execute: BTreeSet::new(),
            environment: default_environment(),
            limits: Limits::default(),
        }
    }

    /// The policy that grants nothing and has these limits.
    pub(crate) fn of_limits(limits: Limits) -> Self {
        Self {
            read: BTreeSet::new(),
            write: BTreeSet::from([Grant::run_directory()]),
            execute: BTreeSet::new(),
            environment: default_environment(),
            limits,
        }
    }

    /// What may be read: files, or directories with everything beneath.
    pub fn read(&self) -> &BTreeSet<Grant> {
        &self.read
    }

    /// What may be read and written. The run directory is always among it.
    pub fn write(&self) -> &BTreeSet<Grant> {
        &self.write
    }

    /// The files that may be executed (and read): the program and its loader.
    pub fn execute(&self) -> &BTreeSet<Grant> {
        &self.execute
    }

    /// The whole environment of the program. [`RUN`] stands for the run directory.
    pub fn environment(&self) -> &BTreeMap<String, String> {
        &self.environment
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}

/// The names that a program gets whatever the host's environment holds.
fn default_environment() -> BTreeMap<String, String> {
    [
        ("HOME", RUN),
        ("LANG", "C.UTF-8"),
        ("PATH", "/usr/bin:/bin"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
        ("TMPDIR", RUN),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .collect()
}

/// Collects grants and checks each when it is added.
#[derive(Clone, Debug)]
pub struct PolicyBuilder {
    read: BTreeSet<Grant>,
    write: BTreeSet<Grant>,
    execute: BTreeSet<Grant>,
    environment: BTreeMap<String, String>,
    limits: Limits,
}

impl PolicyBuilder {
    /// Grants reading of a file, or of a directory with everything beneath.
    ///
    /// # Errors
    /// When the path is not a plain existing path: see [`GrantError`].
    pub fn read(mut self, path: &Path) -> Result<Self, GrantError> {
        self.read.insert(Grant::of(path)?);
        Ok(self)
    }

    /// Grants reading and writing of a file, or of a directory with everything beneath.
    ///
    /// # Errors
    /// As [`PolicyBuilder::read`].
    pub fn write(mut self, path: &Path) -> Result<Self, GrantError> {
        self.write.insert(Grant::of(path)?);
        Ok(self)
    }

    /// Grants execution and reading of one file.
    ///
    /// # Errors
    /// As [`PolicyBuilder::read`], and when it is a directory.
    pub fn execute(mut self, path: &Path) -> Result<Self, GrantError> {
        let grant = Grant::of(path)?;
        if grant.kind() == Kind::Directory {
            return Err(GrantError::ExecuteDirectory { path: path.to_owned() });
        }
        self.execute.insert(grant);
        Ok(self)
    }

    /// Grants what a program needs to start: reading of what it reads, execution of its image and loader.
    ///
    /// # Errors
    /// As [`PolicyBuilder::execute`].
    pub fn needs(mut self, needs: &Needs) -> Result<Self, GrantError> {
        for path in &needs.read {
            self = self.read(path)?;
        }
        for path in &needs.execute {
            self = self.execute(path)?;
        }
        Ok(self)
    }

    /// Grants reading of the program's own text, which the host writes for each run beside the run
    /// directory: [`crate::command::Command::program_text`] says where.
    pub fn program_text(mut self) -> Self {
        self.read.insert(Grant::program_text());
        self
    }

    /// Grants the devices that hold nothing and that every C program expects, where they exist:
    /// `/dev/null` for writing, `/dev/zero`, `/dev/random` and `/dev/urandom` for reading.
    ///
    /// # Errors
    /// As [`PolicyBuilder::read`].
    pub fn devices(mut self) -> Result<Self, GrantError> {
        for name in ["/dev/zero", "/dev/random", "/dev/urandom"].map(Path::new) {
            if name.exists() {
                self = self.read(name)?;
            }
        }
        if Path::new("/dev/null").exists() { self.write(Path::new("/dev/null")) } else { Ok(self) }
    }

    /// Sets one environment variable of the program.
    pub fn environment(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Checks the grants against each other and completes the policy. A path that is granted both
    /// for reading and for writing is written; its read grant is dropped, so that what is shown is
    /// what holds.
    ///
    /// # Errors
    /// When a narrower grant stands inside a wider one of another kind: the kernel would give the
    /// wider right, so the narrower one would be a promise that nobody keeps.
    pub fn build(mut self) -> Result<Policy, GrantError> {
        let write = self.write.clone();
        self.read.retain(|grant| !write.contains(grant));
        for inner in &self.read {
            if let Some(outer) = self.write.iter().find(|outer| outer.holds(inner)) {
                return Err(GrantError::NarrowerInside {
                    inner: inner.place().clone(),
                    outer: outer.place().clone(),
                });
            }
        }
        Ok(Policy {
            read: self.read,
            write: self.write,
            execute: self.execute,
            environment: self.environment,
            limits: self.limits,
        })
    }
}

#[cfg(test)]
mod tests;
