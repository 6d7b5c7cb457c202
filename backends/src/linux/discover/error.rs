//! Why the needs of a program could not be found out.
//!
//! Paths are printed with their control characters escaped: a name may be chosen by the program.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::ask::AskError;
use super::elf::ElfError;

/// Why [`program`](super::program) or [`python()`](super::python()) refused. Reads after "failed to".
#[derive(Debug, Error)]
pub enum DiscoverError {
    /// There is no such file; a shell answers 127.
    #[error("find program {path:?}")]
    NotFound {
        /// The path, or the bare name that `PATH` does not lead to.
        path: PathBuf,
    },
    /// The file could not be looked at.
    #[error("{call} {path:?}: {source}")]
    Inspect {
        /// The call that failed.
        call: &'static str,
        /// The file it was made for.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The file is there and must not or cannot be started; a shell answers 126.
    #[error("execute {path:?}: {cause}")]
    NotExecutable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: NotExecutable,
    },
    /// The image, or its ELF interpreter, is not an ELF file that this machine can load.
    #[error("load {path:?}: {source}")]
    Image {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ElfError,
    },
    /// The loader that an image names (its ELF interpreter) cannot be started.
    #[error("load {image:?} with its loader {interpreter:?}: failed to {source}")]
    Loader {
        /// The image.
        image: PathBuf,
        /// `PT_INTERP`.
        interpreter: PathBuf,
        /// Why it cannot be started.
        source: Box<DiscoverError>,
    },
    /// The loader would stop the program, because a library is in none of the places it searches.
    #[error("find library {library:?}, needed by {needed_by:?}")]
    MissingLibrary {
        /// The name as the ELF file gives it.
        library: OsString,
        /// The image or the library that asks for it.
        needed_by: PathBuf,
    },
    /// The first line of a script cannot be turned into a launch of its interpreter.
    #[error("read the interpreter line of script {script:?}: {cause}")]
    ScriptLine {
        /// The script.
        script: PathBuf,
        /// What is wrong with the line.
        cause: ScriptLineError,
    },
    /// The interpreter of a script cannot be started.
    #[error("start script {script:?} with its interpreter {interpreter:?}: failed to {source}")]
    Script {
        /// The script.
        script: PathBuf,
        /// The interpreter that its first line names.
        interpreter: PathBuf,
        /// Why that one cannot be started.
        source: Box<DiscoverError>,
    },
    /// The interpreter of a script is a script too, often a version manager's shim: starting it
    /// takes a second exec, which a confined program does not have.
    #[error(
        "start script {script:?}: its interpreter {interpreter:?} is itself a script, which would \
         need a second exec; name the real interpreter and give it the script as argument"
    )]
    NestedScript {
        /// The script.
        script: PathBuf,
        /// The interpreter that its first line names.
        interpreter: PathBuf,
    },
    /// A script stands in for a Python interpreter (pyenv and others put such shims on `PATH`) and
    /// would exec the real one. It is not run to find out which: it may be anybody's.
    #[error(
        "start {script:?}: it is a script for {interpreter:?} that stands in for Python and would \
         need a second exec; name the real interpreter, which it prints for \
         `-c 'import sys; print(sys.executable)'`"
    )]
    Shim {
        /// The script.
        script: PathBuf,
        /// The interpreter of the script.
        interpreter: PathBuf,
    },
    /// The Python interpreter could not be asked, or its answer is not one.
    #[error("ask the Python interpreter {interpreter:?}: {source}")]
    Ask {
        /// The path that was started.
        interpreter: PathBuf,
        /// What went wrong.
        source: AskError,
    },
    /// The interpreter that another one named as the real one cannot be started.
    #[error("start the base interpreter of {interpreter:?}: failed to {source}")]
    Base {
        /// The path that was asked.
        interpreter: PathBuf,
        /// Why the base interpreter cannot be started.
        source: Box<DiscoverError>,
    },
    /// Each interpreter that was asked named another one as the real one.
    #[error("find the base interpreter of {interpreter:?}: each answer names yet another one")]
    NoBase {
        /// The path that was asked first.
        interpreter: PathBuf,
    },
    /// The interpreter has no standard library beneath its own prefix. A directory elsewhere is not
    /// granted on its word.
    #[error("find the standard library of {interpreter:?} beneath its prefix")]
    NoStandardLibrary {
        /// The base interpreter.
        interpreter: PathBuf,
    },
}

impl DiscoverError {
    /// Whether the program itself does not exist (127 in a shell), as opposed to existing and not
    /// being startable (126). A missing interpreter of an existing script is the latter.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }
}

/// Why a file that exists is not started.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum NotExecutable {
    /// A directory.
    #[error("it is a directory")]
    Directory,
    /// A device, a FIFO or a socket.
    #[error("it is not a regular file")]
    NotRegular,
    /// The mode or the mount does not allow execution by this user.
    #[error("permission to execute it is denied")]
    Permission,
    /// Set-user-id or set-group-id: with `no_new_privs` it would run without the identity that it
    /// relies on (`prctl(2)`).
    #[error("it is a set-user-id or set-group-id file")]
    SetId,
}

/// Why the first line of a script is refused.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum ScriptLineError {
    /// Nothing stands after `#!`.
    #[error("it names no interpreter")]
    Empty,
    /// The line does not end within the bytes that the kernel reads.
    #[error("it is longer than the kernel reads")]
    TooLong,
    /// The interpreter's path is relative: it would depend on the directory the program starts in.
    #[error("the interpreter's path is relative")]
    Relative,
    /// `env` is given options, assignments or quotes that are not understood here.
    #[error("its use of env is not a plain program name with arguments")]
    Env,
}
