//! macOS. One launch: build, fork the stage, let it become `sandbox-exec`, and find out that
//! `sandbox-exec` became the program.
//!
//! `/usr/bin/sandbox-exec` compiles the profile, confines itself and becomes the program. The kernel
//! tells of that second execution (`NOTE_EXEC`), so that its failure and the program's own end are not
//! taken for each other by what either prints. Where it fails nothing of the program ran, and there is
//! no second way: nothing is ever started without the profile.

use super::profile::Profile;
use super::streams::{check_program, ended, open_directory, pipe, streams};
use crate::child::Child;
use crate::command::Command;
use crate::launch::LaunchError;
use crate::launch::quota::Quota;
use crate::launch::supervise::Parts;
use crate::launch::watch::Watch;
use crate::policy::{Bound, Limits, RUN};
use crate::protection::{Protection, Reason, Unavailable};
use crate::sys::kernel;
use crate::sys::stage::{self, Limit, STEPS, Stage};
use nix::sys::event::Kqueue;
use nix::sys::resource::Resource;
use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString, c_char};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What applies a profile. By its absolute path: a name would be searched.
pub(super) const SANDBOX_EXEC: &str = super::lower::LAUNCHER;

/// How long a start may take where the policy states no wall clock.
const START: Duration = Duration::from_secs(60);

/// Launches exclude each other until the stage has begun: see [`pipe`].
static LAUNCHES: Mutex<()> = Mutex::new(());

/// What is applied to a program, as data.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    /// The profile; none for a bare process.
    pub(super) profile: Option<Profile>,
    /// The whole environment, or none for the launcher's own.
    pub(super) environment: Option<BTreeMap<String, String>>,
    /// Whether every descriptor but the three streams is closed.
    pub(super) close_descriptors: bool,
    /// What the program may use.
    pub(super) limits: Limits,
}

/// Launches a program.
pub(super) fn launch(setup: &Setup, command: Command) -> Result<Child, LaunchError> {
    let began = Instant::now();
    if kernel::children_are_ignored() {
        return Err(LaunchError::ChildrenIgnored);
    }
    check_program(&command.program)?;
    let arguments = pointers(arguments(setup, &command)?)?;
    let environment = pointers(environment(setup, &command))?;
    let limits = limits(setup);
    let image = arguments.text.first().cloned().ok_or(LaunchError::Nul)?;
    let alone = LAUNCHES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let directory = open_directory(&command.run_directory)?;
    let watched = || open_directory(&command.run_directory);
    let quota = Quota::wanted(watched, &setup.limits, began)?;
    let (inner, parts) = streams(command.input)?;
    let (report, inner_report) = pipe()?;
    let pid = stage::begin(&Stage {
        image: &image,
        arguments: &arguments.array,
        environment: &environment.array,
        limits: &limits,
        streams: inner.each_ref().map(AsRawFd::as_raw_fd),
        directory: directory.as_raw_fd(),
        report: inner_report.as_raw_fd(),
        close_descriptors: setup.close_descriptors,
    })
    .map_err(LaunchError::resource("fork"))?;
    let mut unstarted = Unstarted(Some(pid));
    drop((inner, inner_report, alone));
    staged(report, &command.program, setup.profile.is_some())?;
    let events = kernel::watch(pid, true).map_err(LaunchError::resource("kevent"))?;
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGCONT)
        .map_err(|errno| LaunchError::resource("kill(SIGCONT)")(errno.into()))?;
    if setup.profile.is_some() {
        let deadline = began + setup.limits.wall_clock().unwrap_or(START);
        confined(&events, pid, deadline, &mut unstarted, &parts)?;
    }
    let end = match kernel::watch_end(events, pid) {
        Ok(queue) => queue,
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => ended()?,
        Err(error) => return Err(LaunchError::resource("kevent")(error)),
    };
    unstarted.0 = None;
    let watch = Watch { limits: setup.limits.clone(), quota, began, kill_group: true };
    Ok(Child::new(pid, end, parts, watch))
}

/// A child that has not become its program yet: dropped, it is killed.
struct Unstarted(Option<i32>);

impl Unstarted {
    /// Reaps it, which has ended.
    fn reap(&mut self) -> Result<i32, LaunchError> {
        let pid = self.0.take().unwrap_or(0);
        kernel::reap(pid).map(|reaped| reaped.status).map_err(LaunchError::resource("wait4"))
    }
}

impl Drop for Unstarted {
    fn drop(&mut self) {
        if let Some(pid) = self.0 {
            let _dead_already = nix::sys::signal::kill(
                nix::unistd::Pid::from_raw(pid),
                nix::sys::signal::Signal::SIGKILL,
            );
            let _reaped = kernel::reap(pid);
        }
    }
}

/// Reads the report of the stage: it is empty when the first image began.
fn staged(report: OwnedFd, program: &Path, confined: bool) -> Result<(), LaunchError> {
    let mut bytes = Vec::new();
    File::from(report).read_to_end(&mut bytes).map_err(LaunchError::resource("read"))?;
    let number = |at: usize| {
        let bytes = bytes.get(at..at + 4)?;
        Some(i32::from_ne_bytes(bytes.try_into().ok()?))
    };
    let (Some(step), Some(errno)) = (number(0), number(4)) else { return Ok(()) };
    let source = io::Error::from_raw_os_error(errno);
    let step = usize::try_from(step).ok().and_then(|step| STEPS.get(step)).copied();
    match (step, errno) {
        (Some("posix_spawn"), libc::E2BIG) => Err(LaunchError::TooLarge(source)),
        (Some("posix_spawn"), _) if confined => {
            Err(lost(Reason::Path { path: SANDBOX_EXEC.into(), source }))
        }
        (Some("posix_spawn"), _) => {
            let path = program.to_owned();
            Err(LaunchError::NotExecutable { path, call: "posix_spawn", source })
        }
        (step, _) => Err(LaunchError::resource(step.unwrap_or("fork"))(source)),
    }
}

/// Waits until `sandbox-exec` has become the program. The kernel may tell of its own beginning late,
/// after the report of the stage was closed; then the image still is `sandbox-exec`.
fn confined(
    events: &Kqueue,
    pid: i32,
    deadline: Instant,
    unstarted: &mut Unstarted,
    parts: &Parts,
) -> Result<(), LaunchError> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(LaunchError::StartTimedOut);
        }
        let noted = kernel::noted(events, left).map_err(LaunchError::resource("kevent"))?;
        let is_stage = || kernel::image(pid).is_some_and(|image| image == Path::new(SANDBOX_EXEC));
        if noted.executed && !is_stage() {
            return Ok(());
        }
        if noted.ended {
            let status = unstarted.reap()?;
            return Err(failure(status, &said(parts)));
        }
    }
}

/// What `sandbox-exec` said before it ended.
fn said(parts: &Parts) -> String {
    let mut text = [0; 500];
    let length = nix::unistd::read(&parts.error, &mut text).unwrap_or(0);
    String::from_utf8_lossy(text.get(..length).unwrap_or_default()).trim().to_owned()
}

/// Why `sandbox-exec` did not become the program, by its exit code (sysexits(3)).
fn failure(status: i32, said: &str) -> LaunchError {
    if !libc::WIFEXITED(status) {
        return LaunchError::Killed { status };
    }
    let why = match libc::WEXITSTATUS(status) {
        64 => "it was not understood (64)",
        65 => "the profile does not compile on this system (65)",
        71 => "the profile was refused, as it is inside another sandbox (71)",
        126 | 127 => "the program could not be executed under the profile",
        _ => "it ended",
    };
    lost(Reason::Behaviour(format!("{why}: {said:?}")))
}

fn lost(reason: Reason) -> LaunchError {
    LaunchError::Unavailable(Unavailable {
        protection: Protection::FileRead,
        call: SANDBOX_EXEC,
        reason,
        remedy: "run it outside any other sandbox, on macOS 13 or later; nothing was started",
    })
}

/// The first image and everything after it.
fn arguments(setup: &Setup, command: &Command) -> Result<Vec<OsString>, LaunchError> {
    let mut arguments = Vec::new();
    let program = command.program.as_os_str();
    if let Some(profile) = &setup.profile {
        let run = command.run_directory.to_str().unwrap_or_default();
        let spelt =
            profile.arguments(run).map_err(|error| lost(Reason::Behaviour(error.to_string())))?;
        arguments.push(SANDBOX_EXEC.into());
        arguments.extend(spelt.into_iter().map(OsString::from));
        arguments.push("--".into());
        if command.argument0.as_deref().is_some_and(|argument| argument != program) {
            return Err(LaunchError::ZerothArgument);
        }
    }
    arguments.push(program.to_owned());
    arguments.extend(command.arguments.iter().cloned());
    Ok(arguments)
}

fn environment(setup: &Setup, command: &Command) -> Vec<OsString> {
    let run = command.run_directory.as_os_str();
    match &setup.environment {
        Some(map) => map
            .iter()
            .map(|(name, value)| {
                let mut text = OsString::from(name);
                text.push("=");
                for (index, part) in value.split(RUN).enumerate() {
                    if index > 0 {
                        text.push(run);
                    }
                    text.push(part);
                }
                text
            })
            .collect(),
        None => std::env::vars_os()
            .chain(command.surroundings.iter().cloned())
            .map(|(mut name, value)| {
                name.push(OsStr::new("="));
                name.push(value);
                name
            })
            .collect(),
    }
}

/// Strings for the kernel, and the array of pointers to them.
struct Strings {
    array: Vec<*const c_char>,
    text: Vec<CString>,
}

fn pointers(strings: Vec<OsString>) -> Result<Strings, LaunchError> {
    let text = strings
        .into_iter()
        .map(|string| CString::new(string.into_vec()).map_err(|_nul| LaunchError::Nul))
        .collect::<Result<Vec<_>, _>>()?;
    let array = text.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect();
    Ok(Strings { array, text })
}

/// The limits that the stage sets. The address space is not among them, for what it must be for a program to
/// start is not known (see `gaps::MEMORY`); a policy with such a limit is refused before.
fn limits(setup: &Setup) -> Vec<Limit> {
    let limits = &setup.limits;
    let core = if setup.close_descriptors { Bound::At(0) } else { Bound::Unlimited };
    [
        (Resource::RLIMIT_CORE, core),
        (Resource::RLIMIT_CPU, limits.cpu_seconds),
        (Resource::RLIMIT_FSIZE, limits.file_size_bytes),
        (Resource::RLIMIT_NOFILE, limits.open_files),
    ]
    .into_iter()
    .filter_map(|(resource, bound)| {
        let Bound::At(value) = bound else { return None };
        let hard = nix::sys::resource::getrlimit(resource).map_or(value, |(_, hard)| hard);
        Some(Limit { resource: resource as i32, value: value.min(hard) })
    })
    .collect()
}
