//! Linux. One launch: build, clone, wait for the execution, and find out that it happened.

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
use crate::linux::seccomp::{Key, Late, Own};
use crate::protection::Reason;
use crate::sys::child::{ChildPlan, FilterSlot, PENDING, Probe, Shared};
use crate::sys::{clone, kernel};
use nix::sys::resource::Resource;
use std::num::NonZeroU32;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::time::{Duration, Instant};

/// How long a start may take where the policy states no wall clock.
const START: Duration = Duration::from_secs(60);

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
    let key = if prepared.needs_key() { Some(fresh_key()?) } else { None };
    let filter = filter_slots(prepared, key);
    let own_pid_slots = own_pid_slots(prepared);
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
        own_pid_slots: &own_pid_slots,
        key: key.map_or([0; 2], |key| [key.first, key.second.get()]),
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
    let (pid, pidfd, accompanied) = clone::with_child(plan, |_pidfd| {
        accompany(plan.shared, deadline)
    })
    .map_err(|source| match plan.view {
        Some(_) => view::refused("clone3(CLONE_NEWUSER | CLONE_NEWNS)", Reason::Call(source)),
        None => LaunchError::Resource { call: "clone3", source },
    })?;
    if let Err(error) = accompanied {
        let _reaped = kernel::reap(pid);
        return Err(error);
    }
    Ok((pid, pidfd))
}

/// Returns when the child has executed or is dead.
fn accompany(shared: &Shared, deadline: Instant) -> Result<(), LaunchError> {
    while shared.word.load(Ordering::SeqCst) == PENDING {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(LaunchError::StartTimedOut);
        }
        kernel::wait_word(&shared.word, PENDING, left);
    }
    Ok(())
}

/// A key that nobody had before.
fn fresh_key() -> Result<Key, LaunchError> {
    let failed =
        |error: getrandom::Error| LaunchError::Resource { call: "getrandom", source: error.into() };
    loop {
        let random = getrandom::u64().map_err(failed)?;
        if let Some(second) = NonZeroU32::new(random as u32) {
            return Ok(Key { first: (random >> 32) as u32, second });
        }
    }
}

/// Which instructions of the filter the child completes, since only it knows its pid.
pub(super) fn own_pid_slots(prepared: &Prepared) -> Vec<usize> {
    let slots = prepared.filter.iter().flat_map(|program| &program.slots);
    slots.filter(|(_, late)| *late == Late::Pid).map(|(index, _)| *index).collect()
}

/// The filter with its key, in the form that the child completes with its own pid.
pub(super) fn filter_slots(prepared: &Prepared, key: Option<Key>) -> Vec<FilterSlot> {
    let own = Own { pid: Late::Pid.marker(), key };
    let instructions = prepared.filter.as_ref().map(|program| program.for_program(&own));
    instructions
        .into_iter()
        .flatten()
        .map(|instruction| FilterSlot {
            code: instruction.code,
            jump_true: instruction.jt,
            jump_false: instruction.jf,
            value: instruction.k.into(),
        })
        .collect()
}

#[cfg(test)]
mod tests;
