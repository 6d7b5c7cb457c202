//! Linux. An enforcement made ready once, to be launched many times from any thread.

use super::ready::Ready;
use super::ruleset::Rules;
use super::view::Places;
use super::{Attempted, LaunchError, oom, start};
use crate::child::Child;
use crate::command::Command;
use crate::enforcement::{Enforcement, Hygiene};
use crate::linux::seccomp::{Action, Filter, Own, Program, Rule, SeccompData, compile, decide};
use crate::protection::{Protection, Reason, Unavailable};
use crate::temporary::Temporary;
use std::path::Path;
use std::sync::Arc;

/// An enforcement with its granted places opened and its filter compiled.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(super) enforcement: Enforcement,
    pub(super) rules: Option<Rules>,
    pub(super) places: Option<Places>,
    pub(super) filter: Option<Program>,
    /// What a denied socket answers once the filter is in force; zero if it is allowed.
    pub(super) socket_answer: isize,
    /// Whether a program would inherit that memory is not taken from it.
    pub(super) is_spared: bool,
    /// Children that wait for the next program.
    pub(super) ready: Ready,
}

impl Prepared {
    /// Opens and compiles everything that does not depend on the program.
    ///
    /// # Errors
    /// When the kernel or a granted place is not as the enforcement needs it.
    pub(crate) fn new(mut enforcement: Enforcement) -> Result<Self, Unavailable> {
        with_execution(&mut enforcement);
        let rules = enforcement.landlock.as_ref().map(Rules::prepare).transpose()?;
        let places = enforcement.view.as_ref().map(Places::prepare).transpose()?;
        let filter =
            enforcement.seccomp.as_ref().map(compile).transpose().map_err(|error| Unavailable {
                protection: Protection::Spawn,
                call: "seccomp",
                reason: Reason::Behaviour(error.to_string()),
                remedy: "this filter is not one that the kernel takes: report it",
            })?;
        let socket_answer = enforcement.seccomp.as_ref().map_or(0, socket_answer);
        let is_spared = enforcement.hygiene.ordinary_priority && oom::is_spared()?;
        Ok(Self {
            enforcement,
            rules,
            places,
            filter,
            socket_answer,
            is_spared,
            ready: Ready::default(),
        })
    }

    /// Makes the view once in a throw-away child, where there is one: what this host refuses shows at
    /// preparation, not at the first launch.
    ///
    /// # Errors
    /// When the host refuses it, or has no run directory to try it with.
    pub(crate) fn try_view(&self) -> Result<(), Unavailable> {
        if self.places.is_none() {
            return Ok(());
        }
        let lost = |reason| Unavailable {
            protection: Protection::Metadata,
            call: "clone3(CLONE_NEWUSER | CLONE_NEWNS)",
            reason,
            remedy: "run without hiding metadata",
        };
        let folder = Temporary::make("view").map_err(|error| lost(Reason::Call(error)))?;
        let run = folder.path().canonicalize().map_err(|error| lost(Reason::Call(error)))?;
        let nothing = Attempted { number: libc::SYS_getpid, arguments: [0; 6] };
        match self.attempt(&run, &[nothing]) {
            Ok(_) => Ok(()),
            Err(LaunchError::Unavailable(unavailable)) => Err(unavailable),
            Err(other) => Err(lost(Reason::Behaviour(other.to_string()))),
        }
    }

    /// Launches one program.
    ///
    /// # Errors
    /// See [`LaunchError`]. Nothing of the program ran.
    pub(crate) fn launch(&self, command: Command) -> Result<Child, LaunchError> {
        let mut child = start::launch(self, command)?;
        if self.is_spared {
            oom::end_privilege(child.id().cast_signed())?;
        }
        child.keep_deadline()?;
        Ok(child)
    }

    /// Makes calls in a throw-away child that has taken all steps, and returns what they answered.
    ///
    /// # Errors
    /// See [`LaunchError`].
    pub(crate) fn attempt(
        &self,
        run: &Path,
        calls: &[Attempted],
    ) -> Result<Vec<isize>, LaunchError> {
        start::attempt(self, run, calls)
    }

    /// Keeps a child ready for the next program, where one can wait for it: it must die with its launcher, keep
    /// nothing of it open, and see nothing of its program before.
    pub(crate) fn keep_ready(self: &Arc<Self>) {
        let Hygiene { die_with_launcher, close_descriptors, .. } = self.enforcement.hygiene;
        if die_with_launcher && close_descriptors && self.places.is_none() {
            self.ready.want(self);
        }
    }

    /// Whether calls of the launch must carry a key.
    pub(super) fn needs_key(&self) -> bool {
        let filter = self.enforcement.seccomp.as_ref();
        filter.is_some_and(|filter| {
            filter.rules.values().any(|rule| matches!(rule, Rule::Once { .. }))
        })
    }

    /// Everything that the kernel will be told: the data and the compiled filter.
    pub(crate) fn artefact(&self) -> Vec<u8> {
        let mut bytes = self.enforcement.artefact();
        bytes.push(b'\n');
        bytes.extend(self.filter.iter().flat_map(Program::bytes));
        bytes
    }
}

/// Allows every execution by descriptor where it need not be the only one.
pub(crate) fn with_execution(enforcement: &mut Enforcement) {
    if let (Some(filter), false) = (&mut enforcement.seccomp, enforcement.hygiene.execute_once) {
        filter.rules.insert("execveat".to_owned(), Rule::Always(Action::Allow));
    }
}

/// What `socket(AF_UNIX, SOCK_DGRAM, 0)` answers under a filter, as the kernel returns it.
fn socket_answer(filter: &Filter) -> isize {
    let Some(number) = filter.arch.number("socket") else { return 0 };
    let data = SeccompData {
        nr: number,
        arch: filter.arch.audit_value(),
        instruction_pointer: 0,
        args: [libc::AF_UNIX as u64, libc::SOCK_DGRAM as u64, 0, 0, 0, 0],
    };
    match decide(filter, &data, &Own { pid: 0, key: None }) {
        Action::Errno(errno) => -isize::from(errno.number().cast_signed()),
        Action::Allow | Action::KillProcess => 0,
    }
}
