//! System call names and numbers, from the kernel's own tables.
//!
//! Own tables, because the `libc` crate has no constants for the newest calls, has those of the
//! build's architecture only, and cannot be listed.

use super::filter::Arch;
use super::{numbers_aarch64, numbers_x86_64};

impl Arch {
    /// Every system call of this architecture by ascending number.
    pub fn syscalls(self) -> impl Iterator<Item = (&'static str, u32)> {
        self.runs().iter().flat_map(|&(first, names)| names.split_ascii_whitespace().zip(first..))
    }

    /// The number of a system call; `None` if this architecture has no such call.
    pub fn number(self, name: &str) -> Option<u32> {
        self.syscalls().find(|&(other, _)| other == name).map(|(_, number)| number)
    }

    /// The name of a system call number; `None` if it is not assigned.
    pub fn name(self, number: u32) -> Option<&'static str> {
        let runs = self.runs();
        let after = runs.partition_point(|&(first, _)| first <= number);
        let &(first, names) = runs.get(after.checked_sub(1)?)?;
        names
            .split_ascii_whitespace()
            .zip(first..)
            .find(|&(_, n)| n == number)
            .map(|(name, _)| name)
    }

    fn runs(self) -> &'static [(u32, &'static str)] {
        match self {
            Self::X86_64 => numbers_x86_64::RUNS,
            Self::Aarch64 => numbers_aarch64::RUNS,
        }
    }
}

#[cfg(test)]
mod tests;
