//! The Python audit hook: a second layer inside the interpreter, built from a policy. It is never a boundary and no tier
//! rests on it: native code, and everything that raises no event, passes it by.
//!
//! It is worth having because it refuses early, with the same error as the layer below, and because what it refuses does not
//! depend on the kernel. [`arguments`] gives the interpreter's arguments for a program under the hook, [`plain_arguments`]
//! those for the same program without it. `judge.py` holds the mechanism, `bootstrap.py` starts it, and [`HookRules`] is every
//! list that it applies.
//!
//! # What the hook does not see
//!
//! These raise no audit event (CPython 3.8 to 3.13), and only the layer below can stop them:
//!
//! * metadata of any path: `os.stat`, `lstat`, `access`, `readlink`, `statvfs`, `pathconf`, `getcwd`;
//! * `os.mkfifo`, `mknod`, `chroot`, `memfd_create`, `eventfd`, `openpty`, `pidfd_open`, `setns`, `unshare`,
//!   `signal.pidfd_send_signal`;
//! * the process's own state: `os.setsid`, `setuid`, `nice`, `setpriority`, `sched_setaffinity`, `umask`, signal handlers,
//!   `termios.tcsetattr`;
//! * data on descriptors that are already open: `os.read`, `write`, `sendfile`, `splice`, `copy_file_range`, sockets'
//!   `listen`, `accept`, `send`, `recv`;
//! * files that C libraries open themselves: `ATTACH DATABASE` and `VACUUM INTO` of sqlite3, certificates loaded by `ssl`,
//!   the name service behind `pwd`, `grp` and `spwd`, message catalogues of `locale`, semaphores of `multiprocessing`,
//!   the perf map of `sys.activate_stack_trampoline`;
//! * memory: extension modules from [`HookPolicy::native_modules`], hand-made bytecode, `/proc/self/mem` where it is granted,
//!   and the dictionaries of built-in types, which `type.__dict__ == x` gives away.
//!
//! It sees these, and is still not certain to stop them:
//!
//! * a second thread that changes a path between the decision and the operation;
//! * code that runs *inside* a decision: a signal handler, or a callback or finaliser that the garbage collector calls. Since
//!   Python 3.13 (PEP 667) it can write to the live frame and so make that one decision itself, which a program with a timer
//!   does at will; in every version it can catch the function that creates built-in modules;
//! * a file reached through another process's `/proc/PID/root`, where that is another mount namespace.
//!
//! # How it shows
//!
//! A program that a refusal ends, because it does not catch the exception, exits with 218, and one that runs out of memory
//! with 219; the interpreter alone would give 1 for both.
//!
//! # What it refuses beyond the policy
//!
//! An event that lacks a detail is judged as if the detail were the worst: changing the times or the mode of a symbolic link
//! itself is refused if what it leads to is not writable, whatever `follow_symlinks` says.

mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use rules::{ArgumentRule, Check, HookRules};

/// What the hook lets a program reach. All paths are absolute and hold no symbolic link; each is a directory, with
/// everything beneath it, or a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookPolicy {
    /// Readable: among them the program itself and the interpreter's library.
    pub read: BTreeSet<PathBuf>,
    /// Readable and writable.
    pub write: BTreeSet<PathBuf>,
    /// Where extension modules may be loaded from. A program that can write here can run native code.
    pub native_modules: BTreeSet<PathBuf>,
}

/// Why the hook could not be put before a program.
#[derive(Debug, Error)]
pub enum HookError {
    /// A path of the policy is relative, so that what it grants would depend on the working directory.
    #[error("the hook's policy holds the relative path {}", path.display())]
    RelativePath {
        /// The path.
        path: PathBuf,
    },
    /// The policy cannot be written as JSON: a path is not UTF-8.
    #[error("failed to write the hook's policy as JSON")]
    Encode(#[from] serde_json::Error),
    /// Policy and rules do not fit into an argument: Linux ends at 128 KiB (`MAX_ARG_STRLEN`, execve(2)).
    #[error("the hook's policy takes {bytes} bytes, more than {LARGEST_POLICY}")]
    TooLarge {
        /// The size of policy and rules as JSON.
        bytes: usize,
    },
}

/// The largest size of policy and rules as JSON, in bytes.
pub const LARGEST_POLICY: usize = 100 * 1024;

/// Isolated (no environment, no user directories), without `site`, without `.pyc` files, UTF-8 everywhere, unbuffered output.
const FLAGS: [&str; 6] = ["-I", "-S", "-B", "-X", "utf8", "-u"];

const BOOTSTRAP: &str = concat!(include_str!("judge.py"), "\n\n", include_str!("bootstrap.py"));

#[derive(Serialize)]
struct Given<'a> {
    policy: &'a HookPolicy,
    rules: &'a HookRules,
}

/// The interpreter's arguments, without argument zero, that run `program` under the hook.
///
/// `program` is an absolute path that the policy lets the program read. The policy travels as an argument, which is no secret
/// from the program and needs no file that the program could read.
///
/// # Errors
///
/// See [`HookError`]: nothing is left out of the policy to make it fit.
pub fn arguments(
    policy: &HookPolicy,
    rules: &HookRules,
    program: &Path,
    program_arguments: &[OsString],
) -> Result<Vec<OsString>, HookError> {
    let paths = policy.read.iter().chain(&policy.write).chain(&policy.native_modules);
    if let Some(path) = paths.into_iter().find(|path| !path.is_absolute()) {
        return Err(HookError::RelativePath { path: path.clone() });
    }
    let given = serde_json::to_string(&Given { policy, rules })?;
    if given.len() > LARGEST_POLICY {
        return Err(HookError::TooLarge { bytes: given.len() });
    }
    let mut arguments: Vec<OsString> = FLAGS.map(OsString::from).into();
    arguments.extend([OsString::from("-c"), BOOTSTRAP.into(), given.into()]);
    arguments.push(program.into());
    arguments.extend_from_slice(program_arguments);
    Ok(arguments)
}

/// The interpreter's arguments, without argument zero, that run `program` in the same way but without the hook.
#[must_use]
pub fn plain_arguments(program: &Path, program_arguments: &[OsString]) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = FLAGS.map(OsString::from).into();
    arguments.push(program.into());
    arguments.extend_from_slice(program_arguments);
    arguments
}

/// The interpreter's arguments that have `runner`, a Python text, run `program` in the same way but without the hook.
#[cfg(target_os = "linux")]
pub(crate) fn runner_arguments(
    runner: &str,
    program: &Path,
    program_arguments: &[OsString],
) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = FLAGS.map(OsString::from).into();
    arguments.extend([OsString::from("-c"), runner.into(), program.into()]);
    arguments.extend_from_slice(program_arguments);
    arguments
}
