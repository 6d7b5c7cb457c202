//! Why a program was not launched, and whatever the reason, nothing of it ran; or is followed no more.

use crate::protection::Unavailable;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// Why a program was not launched.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// There is no such program.
    #[error("{path:?}: no such program: {source}")]
    NotFound {
        /// The program.
        path: PathBuf,
        /// The call's error.
        source: io::Error,
    },
    /// The program is there and cannot be executed.
    #[error("{path:?}: cannot be executed: {call}: {source}")]
    NotExecutable {
        /// The program.
        path: PathBuf,
        /// The call that failed.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// The run directory is not a plain directory.
    #[error("run directory {path:?}: {call}: {source}")]
    RunDirectory {
        /// The run directory.
        path: PathBuf,
        /// The call that failed.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// An argument or a variable holds a NUL byte, which no program can be given.
    #[error("an argument or environment variable holds a NUL byte")]
    Nul,
    /// What the program is given is no UTF-8 text, and the confinement is described in text.
    #[error("{0:?} is not UTF-8, and a container is described in text")]
    NotText(OsString),
    /// The program would have to be given another name than its path, which `sandbox-exec` does not do.
    #[error("the zeroth argument differs from the program's path, which cannot be kept here")]
    ZerothArgument,
    /// The arguments and the environment are larger than the kernel takes.
    #[error("arguments and environment are too large: execve: {0}")]
    TooLarge(io::Error),
    /// The host process lets the kernel reap its children: the exit status would be lost.
    #[error(
        "this process ignores SIGCHLD, so the exit status of a program would be lost: give SIGCHLD its default disposition first"
    )]
    ChildrenIgnored,
    /// A resource of the launcher is missing.
    #[error("{call}: {source}")]
    Resource {
        /// The call that failed.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// The program died, by this signal or code, before it began.
    #[error("the program was killed before it began (wait status {status:#x})")]
    Killed {
        /// The status word of wait4(2).
        status: i32,
    },
    /// The program did not begin within its wall-clock limit.
    #[error("the program did not begin within its wall-clock limit")]
    StartTimedOut,
    /// The confinement could not be applied.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

impl LaunchError {
    /// A failed call that is nobody's fault but the host's.
    pub(crate) fn resource(call: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Resource { call, source }
    }
}

/// Why a running program cannot be followed any more. It is killed.
#[derive(Debug, thiserror::Error)]
pub enum WaitError {
    /// A call failed.
    #[error("{call}: {source}")]
    Call {
        /// The call.
        call: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// The sandbox, which is another program, says that it failed: what ended was not the program's to end.
    #[error("the sandbox failed: {said}")]
    Sandbox {
        /// What it says, with every odd byte escaped.
        said: String,
    },
}
