//! The limits of a running program that its launcher keeps: by the clock, by what it wrote, by what its
//! run directory holds, and by what the kernel tells of its end.

use super::quota::Quota;
use crate::child::Exit;
use crate::policy::{Bound, Limits};
use nix::poll::PollTimeout;
use std::io;
use std::time::{Duration, Instant};

/// What is watched of a running program besides its streams.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) limits: Limits,
    pub(crate) quota: Option<Quota>,
    pub(crate) began: Instant,
    /// Whether the program leads a process group that is killed with it.
    pub(crate) kill_group: bool,
}

impl Watch {
    /// Whether its time is over.
    pub(super) fn is_late(&self) -> bool {
        self.limits.wall_clock().is_some_and(|most| self.began.elapsed() >= most)
    }

    /// When its time is over.
    #[cfg(target_os = "linux")]
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.limits.wall_clock().and_then(|most| self.began.checked_add(most))
    }

    /// How many more bytes it may write that has written so many; `None` without a bound.
    pub(super) fn output_left(&self, written: u64) -> Option<u64> {
        match self.limits.output_bytes {
            Bound::At(most) => Some(most.saturating_sub(written)),
            Bound::Unlimited => None,
        }
    }

    /// Whether it has written more than it may.
    pub(super) fn is_over(&self, written: u64) -> bool {
        matches!(self.limits.output_bytes, Bound::At(most) if written > most)
    }

    /// Whether the run directory holds more than it may: from time to time while the program lives, and
    /// when it is dead.
    pub(super) fn is_too_large(&mut self, program: Option<i32>) -> io::Result<bool> {
        let Some(quota) = &mut self.quota else { return Ok(false) };
        if program.is_some() && !quota.due().is_zero() {
            return Ok(false);
        }
        quota.is_exceeded(program)
    }

    /// Until the deadline or the next look at the run directory.
    pub(super) fn timeout(&self) -> PollTimeout {
        let clock = self.limits.wall_clock();
        let left = clock.map(|most| most.saturating_sub(self.began.elapsed()));
        let look = self.quota.as_ref().map(Quota::due);
        match left.into_iter().chain(look).min() {
            Some(next) => {
                let milliseconds = next.as_micros().div_ceil(1000).min(60_000);
                PollTimeout::try_from(milliseconds).unwrap_or(PollTimeout::MAX)
            }
            None => PollTimeout::NONE,
        }
    }

    /// Whether the kernel ended a program for its CPU time. It kills where both limits are one, as here
    /// (setrlimit(2)), and gives no reason. It decides by the clock ticks that it counted and tells the
    /// time that it measured (`posix_cpu_timers_work`, getrusage(2)). In a virtual machine whose processors are
    /// busy the ticks came to an eighth more, whatever the bound; a quarter is allowed.
    pub(super) fn is_out_of_time(&self, exit: Exit, used: Duration) -> bool {
        let Bound::At(seconds) = self.limits.cpu_seconds else { return false };
        let bound = Duration::from_secs(seconds);
        matches!(exit, Exit::Signal(libc::SIGKILL | libc::SIGXCPU)) && used + bound / 4 >= bound
    }
}
