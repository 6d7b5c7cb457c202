//! How a run ended, in one word. The launcher's reasons come before the kernel's.

use crate::child::{Cause, Ended, Exit};
use crate::launch::LaunchError;
use crate::policy::{Bound, Limits};

/// The exit status by which `bootstrap.py` says that a refusal of the hook ended the program.
const DENIED_BY_HOOK: i32 = 218;

/// The exit status by which `runner.py` and `bootstrap.py` say that memory ran out.
const OUT_OF_MEMORY: i32 = 219;

/// How a run ended.
///
/// [`Outcome::MemoryLimit`] and [`Outcome::DeniedByHook`] rest on the word of the interpreter that the
/// program runs in, because no kernel interface tells either. A program can say them of itself and gains
/// nothing: both are failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It exited with this code.
    Exited(i32),
    /// It was ended by this signal, which was not the launcher's.
    Signalled(i32),
    /// Its wall clock or its CPU time ran out.
    TimedOut,
    /// It wrote more than its limits allow, and was killed.
    OutputCapped,
    /// Its run directory held more than its limits allow, and it was killed.
    DirectoryFull,
    /// Its limit of address space ended it.
    MemoryLimit,
    /// It was never run, because what was asked for cannot be done.
    Refused(Refusal),
    /// The Python hook refused an act, and that ended it.
    DeniedByHook,
}

/// Why a program was never run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Its text is too large.
    #[error("the program's text has {bytes} bytes, at most {most}")]
    Text {
        /// Its size.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// An argument holds a NUL byte, which no program can be given.
    #[error("an argument holds a NUL byte")]
    Nul,
    /// The arguments are larger than the kernel takes.
    #[error("the arguments are larger than the kernel takes")]
    Arguments,
}

impl Refusal {
    /// Whether a launch failed because of what was asked for, and not because of this host.
    pub(super) fn of(error: &LaunchError) -> Option<Self> {
        match error {
            LaunchError::Nul => Some(Self::Nul),
            LaunchError::TooLarge(_) => Some(Self::Arguments),
            LaunchError::NotFound { .. }
            | LaunchError::NotExecutable { .. }
            | LaunchError::RunDirectory { .. }
            | LaunchError::NotText(_)
            | LaunchError::ZerothArgument
            | LaunchError::ChildrenIgnored
            | LaunchError::Resource { .. }
            | LaunchError::Killed { .. }
            | LaunchError::StartTimedOut
            | LaunchError::Unavailable(_) => None,
        }
    }
}

impl Outcome {
    /// The one place where an end becomes an outcome. A further cause is a further arm here.
    pub(super) fn of(ended: &Ended, hook: bool, limits: &Limits) -> Self {
        let memory_is_bounded = limits.address_space_bytes != Bound::Unlimited;
        match (ended.cause, ended.exit) {
            (Some(Cause::WallClock | Cause::CpuTime), _) => Self::TimedOut,
            (Some(Cause::RunDirectory), _) => Self::DirectoryFull,
            (Some(Cause::Output), _) => Self::OutputCapped,
            (None, Exit::Code(DENIED_BY_HOOK)) if hook => Self::DeniedByHook,
            (None, Exit::Code(OUT_OF_MEMORY)) if memory_is_bounded => Self::MemoryLimit,
            (None, Exit::Code(code)) => Self::Exited(code),
            (None, Exit::Signal(signal)) => Self::Signalled(signal),
        }
    }

    /// The word for it in events.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exited(_) => "exited",
            Self::Signalled(_) => "signalled",
            Self::TimedOut => "timed-out",
            Self::OutputCapped => "output-capped",
            Self::DirectoryFull => "directory-full",
            Self::MemoryLimit => "memory-limit",
            Self::Refused(_) => "refused",
            Self::DeniedByHook => "denied-by-hook",
        }
    }

    /// The exit code or the number of the signal.
    pub fn status(&self) -> Option<i32> {
        match self {
            Self::Exited(code) => Some(*code),
            Self::Signalled(signal) => Some(*signal),
            Self::TimedOut
            | Self::OutputCapped
            | Self::DirectoryFull
            | Self::MemoryLimit
            | Self::Refused(_)
            | Self::DeniedByHook => None,
        }
    }

    /// Whether the program ran to its own end and reports success.
    pub fn is_success(&self) -> bool {
        *self == Self::Exited(0)
    }
}
