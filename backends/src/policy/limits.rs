//! Limits: what a program may use. They are stated in the policy and reported apart from the tier.

use serde::{Serialize, Serializer};
use std::time::Duration;

/// An upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// At most this much.
    At(u64),
    /// No bound.
    Unlimited,
}

impl Serialize for Bound {
    /// A number, or the word `unlimited`: the canonical form knows no absent values.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::At(value) => serializer.serialize_u64(*value),
            Self::Unlimited => serializer.serialize_str("unlimited"),
        }
    }
}

/// What a program may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Wall-clock time until it is killed, in milliseconds.
    pub wall_clock_milliseconds: Bound,
    /// CPU time until the kernel kills it, in seconds (`RLIMIT_CPU`).
    pub cpu_seconds: Bound,
    /// Address space in bytes (`RLIMIT_AS`).
    pub address_space_bytes: Bound,
    /// Size of the largest file that it may write, in bytes (`RLIMIT_FSIZE`).
    pub file_size_bytes: Bound,
    /// Open descriptors (`RLIMIT_NOFILE`).
    pub open_files: Bound,
    /// Bytes on standard output and standard error together until it is killed.
    pub output_bytes: Bound,
    /// Bytes on the disk that its run directory takes until it is killed. The launcher looks at
    /// intervals, so a program can be above it for as long as one interval lasts.
    pub run_directory_bytes: Bound,
    /// Entries of its run directory, at any depth, until it is killed; looked at as the bytes are.
    pub run_directory_entries: Bound,
}

impl Default for Limits {
    /// Bounds that honest programs do not meet: programs that open hundreds of files, write large
    /// ones, or reserve terabytes of address space as JIT compilers do, are common.
    fn default() -> Self {
        Self {
            wall_clock_milliseconds: Bound::At(600_000),
            cpu_seconds: Bound::At(3_600),
            address_space_bytes: Bound::Unlimited,
            file_size_bytes: Bound::At(1 << 32),
            open_files: Bound::At(4_096),
            output_bytes: Bound::At(1 << 28),
            run_directory_bytes: Bound::At(1 << 34),
            run_directory_entries: Bound::At(1 << 20),
        }
    }
}

impl Limits {
    /// The wall clock as a duration, if it is bounded.
    pub fn wall_clock(&self) -> Option<Duration> {
        match self.wall_clock_milliseconds {
            Bound::At(milliseconds) => Some(Duration::from_millis(milliseconds)),
            Bound::Unlimited => None,
        }
    }
}
