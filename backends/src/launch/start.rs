//! Linux. One launch: build everything, give it to a child that has taken its first steps, and find out what came of
//! it.

use super::quota::Quota;
use super::ruleset::Text;
use super::streams::{channel, open_directory, open_program, pipes};
use super::strings::Strings;
use super::supervise::{Child, Parts};
use super::watch::Watch;
use super::{Attempted, LaunchError, Prepared, failure, rlimits, view};
use crate::command::Command;
use crate::enforcement::Enforcement;
use crate::linux::seccomp::{Key, Late, Own};
use crate::protection::Reason;
use crate::sys::child::{ChildPlan, FilterSlot, Order, Probe, Shared, ViewPlan};
use crate::sys::clone::{self, Standing};
use crate::sys::kernel;
use nix::sys::resource::Resource;
use std::num::NonZeroU32;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::path::Path;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::time::{Duration, Instant};

/// How long a start may take where the policy states no wall clock.
const START: Duration = Duration::from_secs(60);

/// Launches a program.
pub(super) fn launch(prepared: &Prepared, command: Command) -> Result<Child, LaunchError> {
    let began = Instant::now();
    let next = prepared.ready.renewal();
    let limits = prepared.enforcement.limits.clone();
    let program = open_program(&command.program)?;
    let path = command.program.clone();
    let started = start(prepared, command, Goal::Program(program.as_fd(), &path), began)?;
    started.check(&path)?;
    let Started { child, parts, directory } = started;
    let quota = Quota::wanted(|| Ok(directory), &limits, began)?;
    let kill_group = prepared.enforcement.hygiene.own_session;
    let watch = Watch { limits, quota, began, kill_group };
    Ok(Child::new(child.pid, child.pidfd, parts, watch).renews(next))
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
    started.check(run)?;
    kernel::reap(started.child.pid).map_err(LaunchError::resource("wait4"))?;
    Ok(probes.iter().map(|probe| probe.answer.load(Ordering::SeqCst)).collect())
}

/// What a child does after its steps.
enum Goal<'a> {
    Program(BorrowedFd<'a>, &'a Path),
    Probes(&'a [Probe]),
}

/// A child with memory and descriptors of its own.
struct Started {
    child: clone::Started,
    parts: Parts,
    directory: OwnedFd,
}

impl Started {
    /// Whether it runs its program, or has made its calls.
    fn check(&self, program: &Path) -> Result<(), LaunchError> {
        let plan = &self.child.plan;
        let shown = |index| match &plan.view {
            Some(view) => view::path_of(view, index),
            None => program.to_owned(),
        };
        failure::check(&plan.shared, self.child.pid, program, shown)
    }
}

/// Builds everything, gives a child its order, and returns when it has memory and descriptors of its own.
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
    let strings = Strings::of(&command, &hygiene.environment)?;
    let (program, probes) = match goal {
        Goal::Program(opened, path) => (Some((opened, path)), &[][..]),
        Goal::Probes(probes) => (None, probes),
    };
    let view = complete(prepared, &command, directory.as_fd(), program)?;
    // A view opens its program itself.
    let opened = program.map(|(opened, _path)| opened).filter(|_opened| view.is_none());
    let (inner, parts) = pipes(command.input)?;
    let descriptors: Vec<RawFd> = inner
        .iter()
        .chain([&directory])
        .chain(&ruleset)
        .map(AsRawFd::as_raw_fd)
        .chain(opened.as_ref().map(AsRawFd::as_raw_fd))
        .collect();
    let order = Order {
        descriptors: descriptors.len(),
        has_ruleset: ruleset.is_some(),
        root_is_denied: prepared.rules.as_ref().is_some_and(super::ruleset::Rules::deny_root),
        open_files: rlimits::limit(Resource::RLIMIT_NOFILE, limits.open_files),
        probes,
        arguments: strings.arguments.as_ptr(),
        environment: strings.environment.as_ptr(),
    };
    let deadline = began + limits.wall_clock().unwrap_or(START);
    let follow = |child: Standing| {
        let sent = child.follow(&order, &descriptors, deadline);
        sent.map_err(LaunchError::resource("sendmsg"))?.ok_or(LaunchError::StartTimedOut)
    };
    let ready = prepared.ready.take().map(follow).transpose()?;
    let child = match ready.map(unless_killed).transpose()?.flatten() {
        Some(child) => child,
        None => follow(stand(prepared, view)?)?,
    };
    Ok(Started { child, parts, directory })
}

/// The child, unless somebody ended it while it waited, and nothing of its program ran: it is reaped then.
fn unless_killed(child: clone::Started) -> Result<Option<clone::Started>, LaunchError> {
    if !failure::was_killed(&child.plan.shared) {
        return Ok(Some(child));
    }
    kernel::reap(child.pid).map_err(LaunchError::resource("wait4"))?;
    Ok(None)
}

/// Starts a child that takes its first steps and waits for its order.
pub(super) fn stand(prepared: &Prepared, view: Option<ViewPlan>) -> Result<Standing, LaunchError> {
    let Enforcement { hygiene, limits, .. } = &prepared.enforcement;
    let key = if prepared.needs_key() { Some(fresh_key()?) } else { None };
    let plan = ChildPlan {
        shared: Shared::new(),
        parent: if hygiene.die_with_launcher { std::process::id().cast_signed() } else { 0 },
        own_session: hygiene.own_session,
        ordinary_priority: hygiene.ordinary_priority,
        limits: rlimits::before_filter(limits, hygiene),
        view,
        no_new_privileges: hygiene.no_new_privileges,
        drop_capabilities: hygiene.drop_capabilities,
        channel: -1,
        opposite: -1,
        close_descriptors: hygiene.close_descriptors,
        filter: filter_slots(prepared, key),
        own_pid_slots: own_pid_slots(prepared),
        key: key.map_or([0; 2], |key| [key.first, key.second.get()]),
        socket_answer: prepared.socket_answer,
    };
    begin(plan)
}

/// The view of one program, if it has one.
fn complete(
    prepared: &Prepared,
    command: &Command,
    directory: BorrowedFd<'_>,
    program: Option<(BorrowedFd<'_>, &Path)>,
) -> Result<Option<ViewPlan>, LaunchError> {
    let (run, text) = (&command.run_directory, command.program_text.as_deref());
    let Some(places) = &prepared.places else { return Ok(None) };
    let failed = |source| LaunchError::RunDirectory { path: run.to_owned(), call: "fstat", source };
    let status = nix::sys::stat::fstat(directory).map_err(|errno| failed(errno.into()))?;
    places.complete(run, &status, text, program).map(Some).map_err(failed)
}

/// Starts the child that lives by this plan.
pub(super) fn begin(plan: ChildPlan) -> Result<Standing, LaunchError> {
    let has_view = plan.view.is_some();
    let channel = channel()?;
    Standing::start(Box::new(plan), channel).map_err(|source| match has_view {
        true => view::refused("clone3(CLONE_NEWUSER | CLONE_NEWNS)", Reason::Call(source)),
        false => LaunchError::Resource { call: "clone3", source },
    })
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
