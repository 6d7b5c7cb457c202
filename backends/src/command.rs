//! One program to launch: plain data, from which the launcher builds everything before the child exists.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

/// A program, its arguments, and where it runs.
#[derive(Debug)]
pub struct Command {
    /// The image to execute: a real, absolute path.
    pub program: PathBuf,
    /// The zeroth argument; the program's path if it is `None`.
    pub argument0: Option<OsString>,
    /// The arguments after the zeroth. Bytes, never text.
    pub arguments: Vec<OsString>,
    /// The run directory: the working directory, and the meaning of `{run}` in the policy. It must be
    /// a directory of its own, reached through no symbolic link.
    pub run_directory: PathBuf,
    /// The file that holds the program's text, and the meaning of `{program}` in the policy. A policy
    /// that grants it confines only commands that name it.
    pub program_text: Option<PathBuf>,
    /// Where a confinement that must write something down for this launch makes a folder for it. The host
    /// removes it with what the program left; where there is none, a temporary one goes with the child.
    pub bundle: Option<PathBuf>,
    /// What standard input is.
    pub input: Input,
    /// Variables that the launcher's environment holds beyond the process's own. A confinement that
    /// scrubs the environment passes none of them, nor any other.
    pub surroundings: Vec<(OsString, OsString)>,
}

/// What standard input is.
#[derive(Debug)]
pub enum Input {
    /// Nothing: `/dev/null`.
    Empty,
    /// A pipe that the caller feeds through [`crate::child::Child::feed`].
    Fed,
    /// A pipe that is filled from this descriptor while the program runs.
    From(OwnedFd),
}

impl Command {
    /// A program without arguments and input.
    pub fn new(program: impl Into<PathBuf>, run_directory: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            argument0: None,
            arguments: Vec::new(),
            run_directory: run_directory.into(),
            program_text: None,
            bundle: None,
            input: Input::Empty,
            surroundings: Vec::new(),
        }
    }
}
