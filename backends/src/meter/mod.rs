//! The energy of one program. Where the host has the counters of its packages, it is the program's share
//! of what they counted over its life; elsewhere an estimate from its CPU time. The record says which.

#[cfg(target_os = "linux")]
mod powercap;
#[cfg(target_os = "linux")]
mod processor;
#[cfg(test)]
mod tests;

use crate::child::Usage;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What one busy core is taken to draw where nothing is counted, in milliwatts: the order of a server's
/// design power divided by its cores (200 W by 64 cores) up to a desktop's (65 W by 8).
pub const ESTIMATED_MILLIWATTS: u64 = 5_000;

/// More than any package draws, in watts. A life in which a counter could have gone round twice at this
/// power is not metered by it.
const MOST_WATTS: u128 = 1_000;

/// The energy of one program.
#[derive(Debug)]
pub struct Energy {
    /// In microjoules.
    pub microjoules: u64,
    /// How it was found out.
    pub method: Method,
}

/// How energy is found out.
#[derive(Debug)]
pub enum Method {
    /// The packages counted `host_microjoules` while they were busy for `busy`; the program's CPU time
    /// is its share of that. What the host drew for nothing is shared in the same way.
    ModelBased {
        /// What all packages counted over the life of the program, in microjoules.
        host_microjoules: u64,
        /// CPU time of all processes over its life.
        busy: Duration,
    },
    /// CPU time at a stated power for each core.
    Estimator {
        /// The power in milliwatts.
        milliwatts_per_core: u64,
        /// Why nothing was counted.
        why: NotMetered,
    },
}

/// Why the counters of the host do not tell the energy of a program.
#[derive(Debug, thiserror::Error)]
pub enum NotMetered {
    /// There are none: another processor, a virtual machine, a container.
    #[error("no package has a counter in {path:?}")]
    Absent {
        /// Where they would be.
        path: PathBuf,
    },
    /// They may not be read, or the kernel refuses.
    #[error("read {path:?}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The call's error.
        source: io::Error,
    },
    /// A file does not hold what the kernel documents.
    #[error("{path:?} does not hold what it should")]
    Malformed {
        /// The file.
        path: PathBuf,
    },
    /// Packages came or went.
    #[error("the packages changed while the program ran")]
    Changed,
    /// The program lived so long that a counter may have gone round more than once.
    #[error("the counter of {package} may have gone round more than once in {wall:?}")]
    Wrapped {
        /// The package.
        package: String,
        /// How long the program lived.
        wall: Duration,
    },
}

/// Where the readings are taken.
#[derive(Clone, Debug)]
pub struct Meter {
    powercap: PathBuf,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing is counted there"))]
    processor: PathBuf,
}

impl Default for Meter {
    /// The host's own.
    fn default() -> Self {
        Self { powercap: "/sys/class/powercap".into(), processor: "/proc/stat".into() }
    }
}

/// The counter of one package at one moment, in microjoules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The package's name, such as `package-0`.
    pub package: String,
    /// What it has counted.
    pub counted: u64,
    /// Where it begins again from zero.
    pub range: u64,
}

/// The readings before a program.
#[derive(Debug)]
pub(crate) struct Begun {
    at: Instant,
    readings: Result<(Vec<Reading>, Duration), NotMetered>,
}

impl Meter {
    /// A meter over other files than the host's own.
    pub fn at(powercap: impl Into<PathBuf>, processor: impl Into<PathBuf>) -> Self {
        Self { powercap: powercap.into(), processor: processor.into() }
    }

    /// Takes the readings before a program.
    pub(crate) fn begin(&self) -> Begun {
        Begun { at: Instant::now(), readings: self.read() }
    }

    /// Takes the readings after it and tells its energy.
    pub(crate) fn end(&self, begun: Begun, usage: &Usage) -> Energy {
        let metered = begun.readings.and_then(|(before, busy_before)| {
            let (after, busy_after) = self.read()?;
            let host_microjoules = counted(&before, &after, begun.at.elapsed())?;
            let busy = busy_after.saturating_sub(busy_before);
            let microjoules = share(host_microjoules, usage.cpu, busy);
            Ok(Energy { microjoules, method: Method::ModelBased { host_microjoules, busy } })
        });
        metered.unwrap_or_else(|why| estimate(usage.cpu, ESTIMATED_MILLIWATTS, why))
    }

    #[cfg(target_os = "linux")]
    fn read(&self) -> Result<(Vec<Reading>, Duration), NotMetered> {
        Ok((powercap::read(&self.powercap)?, processor::busy(&self.processor)?))
    }

    #[cfg(not(target_os = "linux"))]
    fn read(&self) -> Result<(Vec<Reading>, Duration), NotMetered> {
        Err(NotMetered::Absent { path: self.powercap.clone() })
    }
}

/// What all packages counted between two readings. A counter that is lower than before has gone round
/// once (`max_energy_range_uj`, Documentation/power/powercap/powercap.rst).
///
/// # Errors
/// When the packages are not the same, or a counter may have gone round more than once.
pub fn counted(before: &[Reading], after: &[Reading], wall: Duration) -> Result<u64, NotMetered> {
    if before.len() != after.len() {
        return Err(NotMetered::Changed);
    }
    let mut total = 0u64;
    for (before, after) in before.iter().zip(after) {
        if (&before.package, before.range) != (&after.package, after.range) {
            return Err(NotMetered::Changed);
        }
        if wall.as_micros().saturating_mul(MOST_WATTS) >= u128::from(after.range) {
            return Err(NotMetered::Wrapped { package: after.package.clone(), wall });
        }
        let difference = match after.counted.checked_sub(before.counted) {
            Some(difference) => difference,
            None => before.range.saturating_sub(before.counted).saturating_add(after.counted),
        };
        total = total.saturating_add(difference);
    }
    Ok(total)
}

/// A program's share of what the host drew: its CPU time by that of all processes. The kernel counts
/// the latter in ticks, so a short life can have more of its own than there seems to be.
pub fn share(host_microjoules: u64, cpu: Duration, busy: Duration) -> u64 {
    let all = busy.max(cpu).as_micros().max(1);
    let microjoules = u128::from(host_microjoules) * cpu.as_micros() / all;
    u64::try_from(microjoules).unwrap_or(u64::MAX)
}

/// CPU time at a power for each core.
fn estimate(cpu: Duration, milliwatts_per_core: u64, why: NotMetered) -> Energy {
    let microjoules = cpu.as_micros() * u128::from(milliwatts_per_core) / 1_000;
    Energy {
        microjoules: u64::try_from(microjoules).unwrap_or(u64::MAX),
        method: Method::Estimator { milliwatts_per_core, why },
    }
}
