//! What a user grants on the command line, and the unit that comes of it.

use backends::discover::{self, DiscoverError, Needs};
use backends::grants as granted;
use backends::policy::{Bound, Limits};
use backends::unit::{Unit, UnitError};
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options that make a unit.
#[derive(Debug, Args)]
pub(crate) struct Grants {
    /// Let the program read this file or directory (absolute, no symbolic link; may be repeated)
    #[arg(long, value_name = "PATH")]
    read: Vec<PathBuf>,
    /// Let the program read and write this file or directory
    #[arg(long, value_name = "PATH")]
    write: Vec<PathBuf>,
    /// Let it write files that have further names (hard links) outside what it may write
    #[arg(long)]
    shared_files: bool,
    /// End the program after this many seconds of wall-clock time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Option<Duration>,
    /// Bound its address space, in bytes or with K, M, G, T
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_negative_numbers = true)]
    memory: Option<u64>,
    /// End the program when its run directory holds more than this, in bytes or with K, M, G, T
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_negative_numbers = true)]
    disk: Option<u64>,
}

impl Grants {
    /// The unit that the user asks for.
    pub(crate) fn unit(&self, program: &Path, arguments: &[OsString], output: Bound) -> Unit {
        let mut grants = granted::Grants { shared_files: self.shared_files, ..Default::default() };
        grants = self.read.iter().fold(grants, granted::Grants::read);
        grants = self.write.iter().fold(grants, granted::Grants::write);
        Unit {
            program: program.to_owned(),
            arguments: arguments.to_vec(),
            grants,
            limits: self.limits(output),
        }
    }

    fn limits(&self, output: Bound) -> Limits {
        let milliseconds =
            |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
        limits(self.timeout.map(milliseconds), self.memory, self.disk, output)
    }
}

/// The limits of what a user starts: time in milliseconds, memory and disk in bytes. What the user did not
/// bound is not bounded.
pub(crate) fn limits(
    time: Option<u64>,
    memory: Option<u64>,
    disk: Option<u64>,
    output: Bound,
) -> Limits {
    let bound = |asked: Option<u64>| asked.map_or(Bound::Unlimited, Bound::At);
    Limits {
        wall_clock_milliseconds: bound(time),
        cpu_seconds: Bound::Unlimited,
        address_space_bytes: bound(memory),
        output_bytes: output,
        run_directory_bytes: bound(disk),
        run_directory_entries: Bound::Unlimited,
        ..Limits::default()
    }
}

/// Where programs are looked for.
pub(crate) fn search() -> OsString {
    std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin"))
}

/// What a program needs. A script that is named like a Python interpreter is taken for a shim of one,
/// which is asked once: the user named it.
///
/// # Errors
/// When the program cannot be started.
pub(crate) fn needs(unit: &Unit) -> Result<Needs, UnitError> {
    let path = search();
    match unit.needs(&path) {
        Err(DiscoverError::Shim { .. }) => {
            Ok(discover::python(&unit.program, &path).map(|python| python.needs)?)
        }
        other => Ok(other?),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.parse().map_err(|_error| format!("{text:?} is no number of seconds"))?;
    let time = Duration::try_from_secs_f64(seconds)
        .map_err(|_error| format!("{text:?} is no time to wait"))?;
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
