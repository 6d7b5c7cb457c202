//! Linux. What became of a child: it runs its program, or a step failed and nothing ran.

use super::LaunchError;
use crate::protection::{Protection, Reason, Unavailable};
use crate::sys::child::{Shared, Step};
use crate::sys::kernel;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Reads the report of the child with this pid, which no longer shares this process's memory.
///
/// `shown` says which place of the view a number stands for.
pub(super) fn check(
    shared: &Shared,
    pid: i32,
    program: &Path,
    shown: impl FnOnce(u32) -> PathBuf,
) -> Result<(), LaunchError> {
    let reap = || kernel::reap(pid).map_err(LaunchError::resource("wait4"));
    if was_killed(shared) {
        return Err(LaunchError::Killed { status: reap()?.status });
    }
    let step = Step::from_index(shared.step.load(Ordering::SeqCst));
    let errno = shared.errno.load(Ordering::SeqCst);
    let idle = shared.idle.load(Ordering::SeqCst) != 0;
    if step == Step::Execute && errno == 0 && !idle {
        return Ok(());
    }
    reap()?;
    let place = (step == Step::Show).then(|| shown(shared.shown.load(Ordering::SeqCst)));
    Err(failure(step, errno, idle, place.as_deref().unwrap_or(program)))
}

/// Whether a child is dead that has neither executed its program nor failed at a step.
pub(super) fn was_killed(shared: &Shared) -> bool {
    Step::from_index(shared.step.load(Ordering::SeqCst)) != Step::Execute
        && shared.errno.load(Ordering::SeqCst) == 0
        && shared.idle.load(Ordering::SeqCst) == 0
}

/// The error of a step on this path that failed, or that the kernel accepted without taking it.
fn failure(step: Step, errno: i32, idle: bool, program: &Path) -> LaunchError {
    let source = io::Error::from_raw_os_error(errno);
    let path = program.to_owned();
    let idle = idle.then(|| {
        Reason::Behaviour("the kernel accepts the call and does not enforce it".to_owned())
    });
    let protection = match step {
        Step::Execute if idle.is_some() => Protection::Execute,
        Step::Execute => {
            return match errno {
                libc::E2BIG => LaunchError::TooLarge(source),
                libc::ENOMEM | libc::EAGAIN | libc::EMFILE | libc::ENFILE => {
                    LaunchError::Resource { call: "execveat", source }
                }
                libc::ENOSYS | libc::EPERM => {
                    unavailable(Protection::Execute, step, Reason::Call(source))
                }
                _ => LaunchError::NotExecutable { path, call: "execveat", source },
            };
        }
        Step::Identity | Step::Root | Step::Hide => {
            return super::view::refused(step.call(), idle.unwrap_or(Reason::Call(source)));
        }
        Step::Show => {
            let reason = idle.unwrap_or(Reason::Path { path, source });
            return super::view::refused(step.call(), reason);
        }
        Step::Landlock => Protection::FileRead,
        Step::Seccomp => Protection::Spawn,
        Step::NoNewPrivileges | Step::Capabilities => Protection::Capabilities,
        Step::Descriptors => Protection::Descriptors,
        Step::Priority => Protection::OtherProcesses,
        Step::Deathsignal | Step::Session | Step::Unblock if idle.is_some() => {
            Protection::OtherProcesses
        }
        Step::Limits | Step::OpenFiles if idle.is_some() => Protection::KernelSurface,
        Step::Streams if idle.is_some() => Protection::Descriptors,
        Step::Deathsignal
        | Step::Session
        | Step::Limits
        | Step::OpenFiles
        | Step::Order
        | Step::Unblock
        | Step::Streams
        | Step::Directory => return LaunchError::Resource { call: step.call(), source },
    };
    unavailable(protection, step, idle.unwrap_or(Reason::Call(source)))
}

fn unavailable(protection: Protection, step: Step, reason: Reason) -> LaunchError {
    // These two the kernel answers where it has no filters, seccomp(2). Whoever refuses or feigns it is another.
    let absent = [Some(libc::ENOSYS), Some(libc::EINVAL)];
    let lacks = matches!(&reason, Reason::Call(source) if absent.contains(&source.raw_os_error()));
    let remedy = if step == Step::Seccomp && lacks {
        "the kernel needs CONFIG_SECCOMP_FILTER"
    } else {
        "look for a filter or tracer around this process, or use a kernel that enforces it"
    };
    LaunchError::Unavailable(Unavailable { protection, call: step.call(), reason, remedy })
}
