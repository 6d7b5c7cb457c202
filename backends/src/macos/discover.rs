//! macOS. What a program needs to start: its image, and for Python its prefix.
//!
//! [`program`] reads and never runs. [`python()`] runs the interpreter that it is given once, unconfined,
//! and is therefore for interpreters that the caller trusts. Scripts and shims are refused with the
//! reason: a program under Seatbelt has one execution, and a shim needs two.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a program is to be started, and what it must reach before it does anything of its own.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Needs {
    /// The Mach-O file that is to be executed.
    pub image: PathBuf,
    /// The image. The kernel loads the loader itself.
    pub execute: BTreeSet<PathBuf>,
    /// What has to be readable beyond the system's own libraries.
    pub read: BTreeSet<PathBuf>,
    /// `argv[0]`: the image, for `sandbox-exec` gives a program no other name.
    pub argument0: OsString,
    /// What comes before the caller's arguments: nothing.
    pub prefix_arguments: Vec<OsString>,
}

/// A Python interpreter and what it must reach.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Python {
    /// The real image: for a framework build the one inside `Python.app`.
    pub executable: PathBuf,
    /// Major, minor and micro version.
    pub version: (u8, u8, u8),
    /// Its launch.
    pub needs: Needs,
}

/// Why [`program`] or [`python()`] refused. Reads after "failed to".
#[derive(Debug, thiserror::Error)]
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
    /// The file is there and is not started; a shell answers 126.
    #[error("execute {path:?}: {why}")]
    NotExecutable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A script stands in for a Python interpreter.
    #[error(
        "start {script:?}: it is a script that stands in for Python, and would need a second exec"
    )]
    Shim {
        /// The script.
        script: PathBuf,
    },
    /// The Python interpreter could not be asked, or its answer is not one.
    #[error("ask the Python interpreter {interpreter:?}: {why}")]
    Ask {
        /// The path that was started.
        interpreter: PathBuf,
        /// What went wrong.
        why: String,
    },
}

impl DiscoverError {
    /// Whether the program itself does not exist (127 in a shell), as opposed to existing and not
    /// being startable (126).
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }
}

/// The first four bytes of images that the kernel loads: 64 bit, and of several architectures.
const IMAGES: [[u8; 4]; 3] =
    [[0xcf, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe], [0xca, 0xfe, 0xba, 0xbf]];

/// Prints, each ended by a NUL: a greeting, the version, `sys.executable`, `sys.base_prefix`.
const QUESTION: &str = "import os, sys
answer = ['escapology-python', '%d.%d.%d' % sys.version_info[:3], sys.executable, sys.base_prefix]
sys.stdout.buffer.write(b''.join(os.fsencode(text) + b'\\0' for text in answer))";

/// How long an interpreter may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Finds out what a program needs, from its bytes alone.
///
/// # Errors
/// When there is no such program, or it cannot be started confined.
pub fn program(path: &Path, path_variable: &OsStr) -> Result<Needs, DiscoverError> {
    let image = image(&locate(path, path_variable)?)?;
    Ok(needs(image, BTreeSet::new()))
}

/// Resolves an interpreter to its real image and finds out what that needs. **What is found is run,
/// unconfined.**
///
/// # Errors
/// As [`program`], and when it does not answer.
pub fn python(path_or_name: &Path, path_variable: &OsStr) -> Result<Python, DiscoverError> {
    let interpreter = locate(path_or_name, path_variable)?;
    let Answer { version, executable, prefix } = ask(&interpreter)?;
    let framework = prefix.join("Resources/Python.app/Contents/MacOS/Python");
    // `bin/python3` of a framework build starts this image, which takes a second execution.
    let executable = image(if framework.exists() { &framework } else { &executable })?;
    let mut needs = needs(executable.clone(), BTreeSet::from([real(&prefix)?]));
    needs.read.retain(|path| !path.as_os_str().is_empty());
    Ok(Python { executable, version, needs })
}

fn needs(image: PathBuf, read: BTreeSet<PathBuf>) -> Needs {
    Needs {
        execute: BTreeSet::from([image.clone()]),
        read,
        argument0: image.clone().into_os_string(),
        prefix_arguments: Vec::new(),
        image,
    }
}

fn locate(path: &Path, path_variable: &OsStr) -> Result<PathBuf, DiscoverError> {
    let not_found = || DiscoverError::NotFound { path: path.to_owned() };
    if path.as_os_str().as_bytes().contains(&b'/') {
        return if path.exists() { Ok(path.to_owned()) } else { Err(not_found()) };
    }
    std::env::split_paths(path_variable)
        .map(|folder| folder.join(path))
        .find(|candidate| candidate.is_file())
        .ok_or_else(not_found)
}

fn real(path: &Path) -> Result<PathBuf, DiscoverError> {
    let failed = |call, source| DiscoverError::Inspect { call, path: path.to_owned(), source };
    let kernel =
        super::streams::kernel_path(path).map_err(|source| failed("fcntl(F_GETPATH)", source))?;
    Ok(PathBuf::from(OsStr::from_bytes(&kernel)))
}

/// The real path of an image that can be executed under a profile.
fn image(path: &Path) -> Result<PathBuf, DiscoverError> {
    let path = real(path)?;
    let failed = |call| {
        let path = path.clone();
        move |source| DiscoverError::Inspect { call, path, source }
    };
    let refused = |why| DiscoverError::NotExecutable { path: path.clone(), why };
    let metadata = path.metadata().map_err(failed("stat"))?;
    if !metadata.is_file() {
        return Err(refused("it is not a regular file"));
    }
    if metadata.mode() & 0o111 == 0 {
        return Err(refused("permission to execute it is denied"));
    }
    if metadata.mode() & 0o6000 != 0 {
        return Err(refused("it is a set-user-id or set-group-id file"));
    }
    let mut magic = [0; 4];
    let mut file = File::open(&path).map_err(failed("open"))?;
    let length = file.read(&mut magic).map_err(failed("read"))?;
    if magic.starts_with(b"#!") {
        let named_like_python =
            path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"python"));
        return Err(if named_like_python {
            DiscoverError::Shim { script: path }
        } else {
            refused("it is a script: start its interpreter and give it the script as argument")
        });
    }
    if length < 4 || !IMAGES.contains(&magic) {
        return Err(refused("it is not a Mach-O image"));
    }
    Ok(path)
}

/// What an interpreter said of itself.
struct Answer {
    version: (u8, u8, u8),
    executable: PathBuf,
    prefix: PathBuf,
}

/// Asks an interpreter for its version, its executable and its base prefix.
fn ask(interpreter: &Path) -> Result<Answer, DiscoverError> {
    let failed = |why: String| DiscoverError::Ask { interpreter: interpreter.to_owned(), why };
    #[expect(clippy::disallowed_methods, reason = "asks a trusted interpreter before any trial")]
    let mut child = Command::new(interpreter)
        .args(["-I", "-S", "-c", QUESTION])
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    let deadline = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait().map_err(|error| failed(error.to_string()))? {
            Some(status) => break status,
            None if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            None => {
                let _dead_already = child.kill();
                let _reaped = child.wait();
                return Err(failed(format!("it did not end within {PATIENCE:?}")));
            }
        }
    };
    let mut answer = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(1 << 16).read_to_end(&mut answer).map_err(|error| failed(error.to_string()))?;
    }
    if !status.success() {
        return Err(failed(format!("it ended with {status}")));
    }
    parse(&answer).ok_or_else(|| failed("its answer is not one".to_owned()))
}

fn parse(answer: &[u8]) -> Option<Answer> {
    let mut parts = answer.split(|byte| *byte == 0);
    if parts.next()? != b"escapology-python" {
        return None;
    }
    let version = std::str::from_utf8(parts.next()?).ok()?;
    let mut numbers = version.split('.').map(|number| number.parse().ok());
    let version = (numbers.next()??, numbers.next()??, numbers.next()??);
    let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
    Some(Answer { version, executable: path(parts.next()?), prefix: path(parts.next()?) })
}
