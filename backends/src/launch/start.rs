//! Linux. One launch: build, clone, let the execution through, and find out that it happened.

use super::quota::Quota;
use super::ruleset::Text;
use super::streams::{above_streams, open_directory, open_program, pipes};
use super::strings::Strings;
use super::supervise::{Child, Parts};
use super::view::Complete;
use super::watch::Watch;
use super::{Attempted, LaunchError, Prepared, failure, rlimits, view};
use crate::command::Command;
use crate::enforcement::Enforcement;
use crate::protection::{Protection, Reason, Unavailable};
use crate::sys::child::{ChildPlan, FilterSlot, LISTENING, Probe, Shared};
use crate::sys::{clone, kernel};
use nix::poll::{PollFd, PollFlags, PollTimeout};
use nix::sys::resource::Resource;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::time::{Duration, Instant};

/// How long a start may take where the policy states no wall clock.
const START: Duration = Duration::from_secs(60);

/// How long to sleep at most before looking again at a child that has not reported yet.
const GLANCE: Duration = Duration::from_millis(5);

/// Launches a program.
pub(super) fn launch(prepared: &Prepared, command: Command) -> Result<Child, LaunchError> {
    let began = Instant::now();
    let limits = prepared.enforcement.limits.clone();
    let program = open_program(&command.program)?;
    let path = command.program.clone();
    let started = start(prepared, command, Goal::Program(program.as_fd(), &path), began)?;
    started.check(prepared, &path)?;
    let Started { pid, pidfd, parts, directory, .. } = started;
    let quota = Quota::wanted(|| Ok(directory), &limits, began)?;
    let kill_group = prepared.enforcement.hygiene.own_session;
    Ok(Child::new(pid, pidfd, parts, Watch { limits, quota, began, kill_group }))
}

/// Makes calls in a throw-away child after the steps of a launch, and returns what they answered.
pub(super) fn attempt(
    prepared: &Prepared,
    run: &Path,
    attempted: &[Attempted],
) -> Result<Vec<isize>, LaunchError> {
    let probes: Vec<Probe> = attempted
        .iter()
        .map(|call| Probe {
            number: call.number,
            arguments: call.arguments,
            answer: AtomicIsize::new(isize::MIN),
        })
        .collect();
    let command = Command::new(run, run);
    let started = start(prepared, command, Goal::Probes(&probes), Instant::now())?;
    started.check(prepared, run)?;
    kernel::reap(started.pid).map_err(LaunchError::resource("wait4"))?;
    Ok(probes.iter().map(|probe| probe.answer.load(Ordering::SeqCst)).collect())
}

/// What a child does after its steps.
enum Goal<'a> {
    Program(BorrowedFd<'a>, &'a Path),
    Probes(&'a [Probe]),
}

/// A child with memory and descriptors of its own.
struct Started {
    pid: i32,
    pidfd: OwnedFd,
    parts: Parts,
    directory: OwnedFd,
    shared: Shared,
    view: Option<Complete>,
}

impl Started {
    /// Whether it runs its program, or has made its calls.
    fn check(&self, prepared: &Prepared, program: &Path) -> Result<(), LaunchError> {
        let shown = |index| match (&prepared.places, &self.view) {
            (Some(places), Some(complete)) => places.path_of(complete, index),
            (Some(_) | None, _) => program.to_owned(),
        };
        failure::check(&self.shared, self.pid, program, shown)
    }
}

/// Builds everything, clones the child, and returns when it has memory and descriptors of its own.
fn start(
    prepared: &Prepared,
    command: Command,
    goal: Goal<'_>,
    began: Instant,
) -> Result<Started, LaunchError> {
    if kernel::children_are_ignored() {
        return Err(LaunchError::ChildrenIgnored);
    }
    let Enforcement { hygiene, limits, .. } = &prepared.enforcement;
    let directory = open_directory(&command.run_directory)?;
    let text = match (&goal, command.program_text.as_deref()) {
        (_, Some(text)) => Text::At(text),
        (Goal::Program(..), None) => Text::Missing,
        (Goal::Probes(_), None) => Text::Unread,
    };
    let ruleset =
        prepared.rules.as_ref().map(|rules| rules.build(directory.as_fd(), text)).transpose()?;
    let ruleset = ruleset.map(above_streams).transpose()?;
    let spare = directory.try_clone().map_err(LaunchError::resource("fcntl(F_DUPFD_CLOEXEC)"))?;
    let strings = Strings::of(&command, &hygiene.environment)?;
    let (program, probes) = match goal {
        Goal::Program(opened, path) => (Some((opened, path)), &[][..]),
        Goal::Probes(probes) => (None, probes),
    };
    let view = complete(prepared, &command, directory.as_fd(), program)?;
    let view_plan =
        view.as_ref().zip(prepared.places.as_ref()).map(|(view, places)| view.plan(places));
    let (inner, parts) = pipes(command.input)?;
    let filter = filter_slots(prepared);
    let before_filter = rlimits::before_filter(limits, hygiene);
    let shared = Shared::new();
    let plan = ChildPlan {
        shared: &shared,
        parent: if hygiene.die_with_launcher { std::process::id().cast_signed() } else { 0 },
        own_session: hygiene.own_session,
        ordinary_priority: hygiene.ordinary_priority,
        limits: &before_filter,
        view: view_plan.as_ref(),
        no_new_privileges: hygiene.no_new_privileges,
        ruleset: ruleset.as_ref().map_or(-1, AsRawFd::as_raw_fd),
        root_is_denied: prepared.rules.as_ref().is_some_and(super::ruleset::Rules::deny_root),
        drop_capabilities: hygiene.drop_capabilities,
        filter: &filter,
        own_pid_slots: prepared.filter.as_ref().map_or(&[], |filter| &filter.own_pid_slots),
        listen: prepared.listens(),
        socket_answer: prepared.socket_answer,
        close_descriptors: hygiene.close_descriptors,
        spare: spare.as_raw_fd(),
        streams: inner.each_ref().map(AsRawFd::as_raw_fd),
        directory: directory.as_raw_fd(),
        open_files: rlimits::limit(Resource::RLIMIT_NOFILE, limits.open_files),
        probes,
        program: program.map_or(-1, |(opened, _)| opened.as_raw_fd()),
        arguments: strings.arguments.as_ptr(),
        environment: strings.environment.as_ptr(),
    };
    let (pid, pidfd) = begin(&plan, began + limits.wall_clock().unwrap_or(START))?;
    Ok(Started { pid, pidfd, parts, directory, shared, view })
}

/// The view of one program, if it has one.
fn complete(
    prepared: &Prepared,
    command: &Command,
    directory: BorrowedFd<'_>,
    program: Option<(BorrowedFd<'_>, &Path)>,
) -> Result<Option<Complete>, LaunchError> {
    let (run, text) = (&command.run_directory, command.program_text.as_deref());
    let Some(places) = &prepared.places else { return Ok(None) };
    let failed = |source| LaunchError::RunDirectory { path: run.to_owned(), call: "fstat", source };
    let status = nix::sys::stat::fstat(directory).map_err(|errno| failed(errno.into()))?;
    places.complete(run, &status, text, program).map(Some).map_err(failed)
}

/// Clones the child and stays with it until it no longer shares this process's memory.
pub(super) fn begin(
    plan: &ChildPlan<'_>,
    deadline: Instant,
) -> Result<(i32, OwnedFd), LaunchError> {
    let (pid, pidfd, accompanied) =
        clone::with_child(plan, |pidfd| accompany(plan.shared, pidfd, deadline)).map_err(
            |source| match plan.view {
                Some(_) => {
                    view::refused("clone3(CLONE_NEWUSER | CLONE_NEWNS)", Reason::Call(source))
                }
                None => LaunchError::Resource { call: "clone3", source },
            },
        )?;
    // A child that ended before it called has left its listener in the table that it shared.
    drop(take_listener(plan.shared));
    if let Err(error) = accompanied {
        let _reaped = kernel::reap(pid);
        return Err(error);
    }
    Ok((pid, pidfd))
}

/// Answers the child's execution, once, and returns when the child has executed or is dead.
fn accompany(shared: &Shared, pidfd: BorrowedFd<'_>, deadline: Instant) -> Result<(), LaunchError> {
    let mut listener: Option<OwnedFd> = None;
    loop {
        let word = shared.word.load(Ordering::SeqCst);
        if word == 0 {
            return Ok(());
        }
        if Instant::now() >= deadline {
            return Err(LaunchError::StartTimedOut);
        }
        if word != LISTENING {
            kernel::wait_word(&shared.word, word, GLANCE);
            continue;
        }
        listener = listener.or_else(|| take_listener(shared));
        let Some(open) = &listener else { return Err(no_listener(libc::EBADF)) };
        answer(shared, open.as_fd(), pidfd)?;
    }
}

/// The listener, for whoever takes it first.
fn take_listener(shared: &Shared) -> Option<OwnedFd> {
    kernel::own_listener(shared.listener.swap(-1, Ordering::SeqCst))
}

/// Waits for a call at the listener and lets it through if it still is the child's own: the word is
/// cleared before the first instruction of the new program, so a call seen while it is set was made
/// before. Signals can interrupt the call, which then comes again.
fn answer(
    shared: &Shared,
    listener: BorrowedFd<'_>,
    pidfd: BorrowedFd<'_>,
) -> Result<(), LaunchError> {
    let mut descriptors =
        [PollFd::new(listener, PollFlags::POLLIN), PollFd::new(pidfd, PollFlags::POLLIN)];
    let ready = nix::poll::poll(&mut descriptors, PollTimeout::from(5u8));
    let waiting = descriptors[0].revents().unwrap_or(PollFlags::empty());
    if waiting.contains(PollFlags::POLLNVAL) {
        return Err(no_listener(libc::EBADF));
    }
    if ready.is_err() || !waiting.contains(PollFlags::POLLIN) {
        return Ok(());
    }
    let id = match kernel::receive(listener) {
        Ok(id) => id,
        Err(error) => {
            return match error.raw_os_error() {
                Some(libc::ENOENT | libc::EINTR | libc::EAGAIN) => Ok(()),
                errno => Err(no_listener(errno.unwrap_or(libc::EIO))),
            };
        }
    };
    if shared.word.load(Ordering::SeqCst) == LISTENING {
        // A caller that is gone meanwhile needs no answer.
        let _gone = kernel::let_through(listener, id);
        kernel::wait_word(&shared.word, LISTENING, GLANCE);
    }
    Ok(())
}

fn no_listener(errno: i32) -> LaunchError {
    LaunchError::Unavailable(Unavailable {
        protection: Protection::Execute,
        call: "ioctl(SECCOMP_IOCTL_NOTIF_RECV)",
        reason: Reason::Call(io::Error::from_raw_os_error(errno)),
        remedy: "the filter gave no listener: look for another filter or tracer around this process",
    })
}

/// The filter in the form that the child completes with its own pid.
pub(super) fn filter_slots(prepared: &Prepared) -> Vec<FilterSlot> {
    let instructions = prepared.filter.as_ref().map_or(&[][..], |program| &program.instructions);
    instructions
        .iter()
        .map(|instruction| FilterSlot {
            code: instruction.code,
            jump_true: instruction.jt,
            jump_false: instruction.jf,
            value: instruction.k.into(),
        })
        .collect()
}
