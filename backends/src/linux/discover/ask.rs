//! Asks a Python interpreter where it lives. This runs it, unconfined: see [`python`](super::python()).

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use thiserror::Error;

/// Prints, each ended by a NUL: a greeting, the version, `sys.executable`, both base prefixes, and
/// `sys.path`, which under `-I -S` is the standard library and nothing else.
const QUESTION: &str = "import os, sys
answer = ['escapology-python', '%d.%d.%d' % sys.version_info[:3], sys.executable,
          sys.base_prefix, sys.base_exec_prefix] + sys.path
sys.stdout.buffer.write(b''.join(os.fsencode(text) + b'\\0' for text in answer))";
const GREETING: &[u8] = b"escapology-python";

/// What an interpreter said about itself. Only its form is checked.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Answer {
    pub(super) version: (u8, u8, u8),
    /// `sys.executable`, which may be a link or the interpreter of a virtual environment.
    pub(super) executable: PathBuf,
    /// `sys.base_prefix` and `sys.base_exec_prefix`: where Python is installed.
    pub(super) prefixes: [PathBuf; 2],
    /// `sys.path`, existing or not.
    pub(super) search: Vec<PathBuf>,
}

/// How long an answer may take and how large it may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) time: Duration,
    /// Bytes of standard output, and of standard error.
    pub(super) bytes: usize,
}

/// Limits that a real interpreter stays far below.
pub(super) const LIMITS: Limits = Limits { time: Duration::from_secs(10), bytes: 64 * 1024 };

/// Why an interpreter gave no answer. Its own words are cut short and escaped.
#[derive(Debug, Error)]
pub enum AskError {
    /// It could not be started.
    #[error("start it: {0}")]
    Start(#[source] io::Error),
    /// Its output could not be read, or its end not awaited.
    #[error("{call}: {source}")]
    Watch {
        /// The call that failed.
        call: &'static str,
        /// The kernel's answer.
        source: io::Error,
    },
    /// It did not end in time and was killed.
    #[error("it did not end within {0:?}")]
    TimedOut(Duration),
    /// It printed more than any answer and was killed.
    #[error("it printed more than {0} bytes")]
    TooMuch(usize),
    /// It ended with a failure.
    #[error("it ended with {status} and said \"{said}\"")]
    Failed {
        /// How it ended.
        status: ExitStatus,
        /// The end of its standard error.
        said: String,
    },
    /// What it printed is not an answer to the question.
    #[error("it answered \"{said}\"")]
    Rubbish {
        /// The end of its standard output.
        said: String,
    },
}

/// Runs an interpreter by the given path, which a shim or a virtual environment goes by, and reads its
/// answer. Whatever it leaves running in its process group is killed.
///
/// Its environment is `PATH` (shims search it), `HOME` (shims keep their settings there) and a UTF-8
/// locale; its working directory is the root, so that no local file chooses a version.
pub(super) fn ask(
    interpreter: &Path,
    path_variable: &OsStr,
    limits: Limits,
) -> Result<Answer, AskError> {
    #[expect(clippy::disallowed_methods, reason = "asks a trusted interpreter before any trial")]
    let mut command = Command::new(interpreter);
    command
        .args(["-I", "-S", "-c", QUESTION])
        .env_clear()
        .env("PATH", path_variable)
        .env("LC_ALL", "C.UTF-8")
        .envs(std::env::var_os("HOME").map(|home| ("HOME", home)))
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(AskError::Start)?;
    let output = watch(&mut child, limits);
    // The child is not reaped yet, so the number of its group belongs to nobody else.
    killpg(pid(&child), Signal::SIGKILL).map_err(watching("kill"))?;
    let status = child.wait().map_err(watching("wait4"))?;
    let [answer, errors] = output?;
    if !status.success() {
        return Err(AskError::Failed { status, said: quote(&errors) });
    }
    parse(&answer).ok_or_else(|| AskError::Rubbish { said: quote(&answer) })
}

/// Standard output and standard error of a child until it has ended. The end of the streams is not
/// waited for, since something that it started may hold them open.
fn watch(child: &mut Child, limits: Limits) -> Result<[Vec<u8>; 2], AskError> {
    let deadline = Instant::now() + limits.time;
    let pipes = [child.stdout.take().map(OwnedFd::from), child.stderr.take().map(OwnedFd::from)];
    let mut streams = pipes.map(|pipe| Stream { pipe: pipe.map(File::from), read: Vec::new() });
    for pipe in streams.iter().filter_map(|stream| stream.pipe.as_ref()) {
        fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(watching("fcntl"))?;
    }
    loop {
        // Looked at before the streams are: what is read after the end is all that there is.
        let ended = has_ended(child)?;
        let mut progress = false;
        for stream in &mut streams {
            progress |= stream.read_some().map_err(watching("read"))?;
            if stream.read.len() > limits.bytes {
                return Err(AskError::TooMuch(limits.bytes));
            }
        }
        if ended && !progress {
            return Ok(streams.map(|stream| stream.read));
        }
        if Instant::now() >= deadline {
            return Err(AskError::TimedOut(limits.time));
        }
        if !progress {
            let pipes = streams.iter().filter_map(|stream| stream.pipe.as_ref());
            let mut pipes: Vec<PollFd<'_>> =
                pipes.map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)).collect();
            // Woken by output or by the clock; which of them, the next round sees by itself.
            poll(&mut pipes, PAUSE).map_err(watching("poll"))?;
        }
    }
}

/// How long the end of a child that has closed its streams may go unnoticed: a millisecond.
const PAUSE: u8 = 1;

/// One stream of a child, read without blocking.
#[derive(Debug)]
struct Stream {
    pipe: Option<File>,
    read: Vec<u8>,
}

impl Stream {
    /// Reads what is there, up to a buffer full, and says whether that was anything.
    fn read_some(&mut self) -> io::Result<bool> {
        let Some(pipe) = &mut self.pipe else { return Ok(false) };
        let mut buffer = [0; 4096];
        match pipe.read(&mut buffer) {
            Ok(0) => self.pipe = None,
            Ok(count) => self.read.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error),
        }
        Ok(true)
    }
}

/// Whether a child has ended, without reaping it.
fn has_ended(child: &Child) -> Result<bool, AskError> {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let status = waitid(Id::Pid(pid(child)), flags).map_err(watching("waitid"))?;
    Ok(status != WaitStatus::StillAlive)
}

/// Process numbers are positive and fit: `pid_t` is what the kernel counts them in.
fn pid(child: &Child) -> Pid {
    Pid::from_raw(child.id().cast_signed())
}

fn watching<E: Into<io::Error>>(call: &'static str) -> impl FnOnce(E) -> AskError {
    move |source| AskError::Watch { call, source: source.into() }
}

/// Reads an answer; anything but its exact form is none.
fn parse(output: &[u8]) -> Option<Answer> {
    let mut fields = output.strip_suffix(b"\0")?.split(|byte| *byte == 0);
    if fields.next()? != GREETING {
        return None;
    }
    let version = str::from_utf8(fields.next()?).ok()?;
    let mut numbers = version.split('.').map(str::parse);
    let version = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
    if numbers.next().is_some() {
        return None;
    }
    let paths = fields.map(|field| PathBuf::from(OsStr::from_bytes(field)));
    let paths: Vec<PathBuf> = paths.collect();
    let [executable, prefix, exec_prefix, search @ ..] = paths.as_slice() else { return None };
    if search.is_empty() || !paths.iter().all(|path| path.is_absolute()) {
        return None;
    }
    Some(Answer {
        version,
        executable: executable.clone(),
        prefixes: [prefix.clone(), exec_prefix.clone()],
        search: search.to_vec(),
    })
}

/// The end of what an interpreter said, fit for one line of a message.
fn quote(said: &[u8]) -> String {
    let said = said.trim_ascii();
    let end = &said[said.len().saturating_sub(200)..];
    String::from_utf8_lossy(end).escape_debug().to_string()
}
