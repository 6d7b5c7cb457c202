//! What a user grants on the command line, and the policy that comes of it.

use backends::discover::{self, DiscoverError, Needs};
use backends::policy::{Bound, GrantError, Limits, Policy};
use clap::Args;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options that make a policy.
#[derive(Debug, Args)]
pub(crate) struct Grants {
    /// Let the program read this file or directory (absolute, no symbolic link; may be repeated)
    #[arg(long, value_name = "PATH")]
    read: Vec<PathBuf>,
    /// Let the program read and write this file or directory
    #[arg(long, value_name = "PATH")]
    write: Vec<PathBuf>,
    /// End the program after this many seconds of wall-clock time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Bound its address space, in bytes or with K, M, G, T
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// End the program when its run directory holds more than this, in bytes or with K, M, G, T
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    disk: Option<u64>,
}

/// Why there is no policy for a program.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PolicyError {
    /// A grant is no grant.
    #[error(transparent)]
    Grant(#[from] GrantError),
    /// The program cannot be started under a policy.
    #[error("failed to {0}")]
    Program(#[from] DiscoverError),
}

impl Grants {
    /// Finds out what the program needs to start and adds what the user grants.
    ///
    /// # Errors
    /// When a grant or the program cannot be.
    pub(crate) fn policy(
        &self,
        program: &Path,
        output: Bound,
    ) -> Result<(Policy, Needs), PolicyError> {
        let mut builder = Policy::builder().limits(self.limits(output)).devices()?;
        for path in &self.read {
            builder = builder.read(path)?;
        }
        for path in &self.write {
            builder = builder.write(path)?;
        }
        let needs = needs(program)?;
        // What the user grants for writing is not granted for reading once more by what is needed.
        let writable = |path: &&PathBuf| !self.write.iter().any(|grant| path.starts_with(grant));
        for path in needs.read.iter().filter(writable) {
            builder = builder.read(path)?;
        }
        for path in &needs.execute {
            builder = builder.execute(path)?;
        }
        Ok((builder.build()?, needs))
    }

    /// The granted directory that holds `run`, if one does: the run directory must be its own.
    pub(crate) fn holder_of(&self, run: &Path) -> Option<&Path> {
        let mut grants = self.read.iter().chain(&self.write);
        grants.find(|grant| run.starts_with(grant)).map(PathBuf::as_path)
    }

    fn limits(&self, output: Bound) -> Limits {
        let milliseconds =
            |time: Duration| Bound::At(u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1));
        Limits {
            wall_clock_milliseconds: self.timeout.map_or(Bound::Unlimited, milliseconds),
            cpu_seconds: Bound::Unlimited,
            address_space_bytes: self.memory.map_or(Bound::Unlimited, Bound::At),
            output_bytes: output,
            run_directory_bytes: self.disk.map_or(Bound::Unlimited, Bound::At),
            run_directory_entries: Bound::Unlimited,
            ..Limits::default()
        }
    }
}

/// What a program needs. A script that is named like a Python interpreter is taken for a shim of one,
/// which is asked once: the user named it.
fn needs(program: &Path) -> Result<Needs, DiscoverError> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin"));
    let path: &OsStr = &path;
    match discover::program(program, path) {
        Err(DiscoverError::Shim { .. }) => {
            discover::python(program, path).map(|python| python.needs)
        }
        other => other,
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.parse().map_err(|_error| format!("{text:?} is no number of seconds"))?;
    let time = Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?;
    if time.is_zero() { Err("a time-out of nothing".to_owned()) } else { Ok(time) }
}

fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.strip_suffix(['K', 'M', 'G', 'T']) {
        None => (text, 0),
        Some(digits) => (digits, 10 * (1 + "KMGT".find(&text[digits.len()..]).unwrap_or(0) as u32)),
    };
    let number: u64 = digits.parse().map_err(|_error| format!("{text:?} is no number of bytes"))?;
    let bytes = number.checked_mul(1 << shift).filter(|bytes| *bytes < 1 << 53);
    match bytes {
        Some(0) => Err("an amount of nothing".to_owned()),
        Some(bytes) => Ok(bytes),
        None => Err(format!("{text:?} is more than any machine has")),
    }
}
