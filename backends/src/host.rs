//! This host as a place where units run: each one confined and sealed, or not at all, unless the
//! caller asks for the fallback.

use crate::child::WaitError;
use crate::command::{Command, Input};
use crate::discover::Needs;
use crate::grants::Refusal;
use crate::launch::LaunchError;
use crate::meter::Meter;
use crate::probe;
use crate::protection::Unavailable;
use crate::running::Running;
use crate::seal::{Applied, Sealed, Unconfined};
#[cfg(target_os = "linux")]
use crate::temporary::Temporary;
use crate::unit::{Unit, UnitError};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// Where programs are looked for unless the caller says so.
const SEARCH: &str = "/usr/bin:/bin";

/// This host.
#[derive(Clone, Debug)]
pub struct Host {
    search: OsString,
    protected: Vec<PathBuf>,
    meter: Meter,
    hides_metadata: bool,
}

/// Why a unit did not run, or could not be followed to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It has no policy.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// This host has not earned S1.
    #[error("this host has not earned S1: {0}")]
    NotEarned(probe::NotEarned),
    /// The confinement cannot be applied.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The program cannot be launched.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// Sight of the program was lost; it was killed.
    #[error("follow the program: {0}")]
    Follow(#[from] WaitError),
    /// There is no run directory.
    #[error("run directory: {call}: {source}")]
    Directory {
        /// The call that failed.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// The program ran, and what it left in its run directory could not be removed.
    #[error("remove the run directory {path:?}: {}", findings.join(", "))]
    Left {
        /// The record of the run.
        sealed: Box<Sealed>,
        /// The run directory.
        path: PathBuf,
        /// What could not be removed, in words.
        findings: Vec<String>,
    },
}

impl Default for Host {
    fn default() -> Self {
        Self {
            search: SEARCH.into(),
            protected: Vec::new(),
            meter: Meter::default(),
            hides_metadata: false,
        }
    }
}

impl Host {
    /// The same host with programs looked for in these directories.
    #[must_use]
    pub fn searching(mut self, path_variable: impl Into<OsString>) -> Self {
        self.search = path_variable.into();
        self
    }

    /// The same host with a place that no grant may hold, such as the evidence of former runs.
    #[must_use]
    pub fn protecting(mut self, place: impl Into<PathBuf>) -> Self {
        self.protected.push(place.into());
        self
    }

    /// The same host with energy read elsewhere.
    #[must_use]
    pub fn metering(mut self, meter: Meter) -> Self {
        self.meter = meter;
        self
    }

    /// The same host with a mount namespace around each unit, in which nothing exists but what is
    /// granted; the host must allow user namespaces.
    #[must_use]
    pub fn hiding_metadata(mut self, hides_metadata: bool) -> Self {
        self.hides_metadata = hides_metadata;
        self
    }

    /// Where programs are looked for.
    pub fn search(&self) -> &OsStr {
        &self.search
    }

    /// Runs a unit in a fresh run directory, confined, and seals it. Standard input is empty.
    ///
    /// # Errors
    /// See [`RunError`]. But for [`RunError::Follow`] and [`RunError::Left`], nothing ran.
    pub fn run_and_seal(&self, unit: &Unit) -> Result<Sealed, RunError> {
        let failed = |call| move |source| RunError::Directory { call, source };
        let folder = folder().map_err(failed("mkdir"))?;
        let run = folder.path().canonicalize().map_err(failed("realpath"))?;
        let needs = unit.needs(&self.search).map_err(UnitError::Program)?;
        let running = self.start(unit, &needs, &run, Input::Empty)?;
        let sealed = running.wait();
        let findings = remove(folder);
        let sealed = sealed?;
        if findings.is_empty() {
            return Ok(sealed);
        }
        Err(RunError::Left { sealed: Box::new(sealed), path: run, findings })
    }

    /// Starts a unit, confined.
    ///
    /// # Errors
    /// See [`RunError`]. Nothing ran.
    pub fn start(
        &self,
        unit: &Unit,
        needs: &Needs,
        run: &Path,
        input: Input,
    ) -> Result<Box<Running>, RunError> {
        // What S1 cannot keep is said before what this host cannot do.
        let policy = unit.policy(needs)?;
        self.spare(unit, run)?;
        let found = if self.hides_metadata { probe::host_hiding_metadata() } else { probe::host() };
        let earned = match &found.rung {
            Ok(earned) => earned,
            Err(why) => return Err(RunError::NotEarned(why.clone())),
        };
        let applied = Applied::confined(policy, earned, self.hides_metadata)?;
        self.launch(applied, unit, needs, run, input)
    }

    /// Starts a unit with nothing but limits. Its seal will say S0, and why.
    ///
    /// # Errors
    /// See [`RunError`]. Nothing ran.
    pub fn start_unconfined(
        &self,
        unit: &Unit,
        needs: &Needs,
        run: &Path,
        input: Input,
        why: Unconfined,
    ) -> Result<Box<Running>, RunError> {
        let applied = Applied::bare(&unit.limits, why)?;
        self.launch(applied, unit, needs, run, input)
    }

    /// Starts a unit under `audit-only`, which is no sandbox. Its seal will say S0.
    ///
    /// # Errors
    /// See [`RunError`]. Nothing ran.
    pub fn start_audit_only(
        &self,
        unit: &Unit,
        needs: &Needs,
        run: &Path,
        input: Input,
    ) -> Result<Box<Running>, RunError> {
        let policy = unit.policy(needs)?;
        self.spare(unit, run)?;
        let applied = Applied::audit_only(&policy)?;
        self.launch(applied, unit, needs, run, input)
    }

    /// No grant may hold the run directory, or what the caller protects.
    fn spare(&self, unit: &Unit, run: &Path) -> Result<(), UnitError> {
        let protected = self.protected.iter().map(PathBuf::as_path).chain([run]);
        let refused: Result<(), Refusal> =
            protected.into_iter().try_for_each(|place| unit.grants.spare(place));
        Ok(refused?)
    }

    fn launch(
        &self,
        applied: Applied,
        unit: &Unit,
        needs: &Needs,
        run: &Path,
        input: Input,
    ) -> Result<Box<Running>, RunError> {
        let mut command = Command::new(&needs.image, run);
        command.argument0 = Some(needs.argument0.clone());
        let arguments = needs.prefix_arguments.iter().chain(&unit.arguments);
        command.arguments = arguments.cloned().collect();
        command.input = input;
        let begun = self.meter.begin();
        let child = applied.launch(command)?;
        Ok(Box::new(Running::of(child, applied, unit.clone(), self.meter.clone(), begun)))
    }
}

/// A fresh directory.
#[cfg(target_os = "linux")]
fn folder() -> io::Result<Temporary> {
    Temporary::make("host")
}

/// A fresh directory.
#[cfg(target_os = "macos")]
fn folder() -> io::Result<tempfile::TempDir> {
    tempfile::tempdir()
}

/// Removes a run directory in which a program has written, and returns what could not be removed.
#[cfg(target_os = "linux")]
fn remove(folder: Temporary) -> Vec<String> {
    folder.remove()
}

/// Removes a run directory, and returns why it could not be removed.
#[cfg(target_os = "macos")]
fn remove(folder: tempfile::TempDir) -> Vec<String> {
    folder.close().err().map(|error| error.to_string()).into_iter().collect()
}
