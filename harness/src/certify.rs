//! A whole run: every planned cell becomes a record. The order does not matter, so the work is shared
//! by a few threads; each program stays with the thread that launched it.

use crate::escape::{Escape, Need};
use crate::rig::Rig;
use crate::setting::Setting;
use crate::trial::{self, Role};
use crate::useful::UsefulWork;
use crate::useful_run;
use backends::backend::{Backend, Confinement, Profile};
use reports::record::{
    Attempt, Cell, Control, Plan, Record, Runtime, Terms, Useful, UsefulCell, User,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::mpsc;

/// How a program ends that the audit hook caught tampering with it.
const TAMPERING: i32 = 86;

/// Everything that a run works with.
#[derive(Debug)]
pub struct Run<'a> {
    /// The host's programs and folders.
    pub setting: &'a Setting,
    /// The backends, made ready.
    pub rigs: &'a [Rig],
    /// The whole catalogue.
    pub escapes: &'a [&'a Escape],
    /// The useful work.
    pub useful: &'a [&'static UsefulWork],
    /// The control backend, for each runtime.
    pub controls: BTreeMap<Runtime, Box<dyn Confinement>>,
}

/// One piece of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Job {
    Control(String, Runtime),
    Attempt(Cell),
    Useful(UsefulCell),
}

impl<'a> Run<'a> {
    /// Prepares the controls of a run.
    ///
    /// # Errors
    /// When a bare process cannot be prepared.
    pub fn new(
        setting: &'a Setting,
        rigs: &'a [Rig],
        escapes: &'a [&'a Escape],
        useful: &'a [&'static UsefulWork],
        runtimes: &[Runtime],
    ) -> Result<Self, String> {
        let mut controls = BTreeMap::new();
        for runtime in runtimes {
            let policy = setting.policy(*runtime).map_err(|error| error.to_string())?;
            let control =
                backends::none::none().prepare(&policy).map_err(|error| error.to_string())?;
            controls.insert(*runtime, control);
        }
        Ok(Self { setting, rigs, escapes, useful, controls })
    }

    /// Fills every cell of the plan and hands each record to `sink` as it comes.
    pub fn fill(&self, plan: &Plan, mut sink: impl FnMut(Record)) {
        let threads = std::thread::available_parallelism().map_or(2, |cores| cores.get() * 2);
        let jobs = Mutex::new(jobs(plan).into_iter());
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            let work = |sender: mpsc::Sender<Record>| {
                while let Some(job) = jobs.lock().ok().and_then(|mut jobs| jobs.next()) {
                    if let Some(record) = self.perform(job)
                        && sender.send(record).is_err()
                    {
                        return;
                    }
                }
            };
            let start = || {
                let sender = sender.clone();
                std::thread::Builder::new().spawn_scoped(scope, move || work(sender)).is_ok()
            };
            let started = (0..threads).filter(|_thread| start()).count();
            if started == 0 {
                // A host that gives no thread gets its answer all the same, only later.
                work(sender.clone());
            }
            drop(sender);
            receiver.into_iter().for_each(&mut sink);
        });
    }

    fn perform(&self, job: Job) -> Option<Record> {
        match job {
            Job::Control(escape, runtime) => self.control(&escape, runtime).map(Record::Control),
            Job::Attempt(cell) => self.attempt(&cell).map(Record::Attempt),
            Job::Useful(cell) => self.useful(&cell).map(Record::Useful),
        }
    }

    /// The control of an escape: the same program, bare, without hook.
    pub fn control(&self, escape: &str, runtime: Runtime) -> Option<Control> {
        let confinement = self.controls.get(&runtime)?;
        let role = Role { escape: self.escape(escape)?, runtime, hook: false };
        let arm = trial::run(self.setting, &**confinement, role);
        Some(Control { escape: escape.to_owned(), runtime, arm })
    }

    /// The attempt of a cell.
    pub fn attempt(&self, cell: &Cell) -> Option<Attempt> {
        let rig = self.rigs.iter().find(|rig| rig.name() == cell.backend)?;
        let escape = self.escape(&cell.escape)?;
        let role = Role { escape, runtime: cell.runtime, hook: cell.hook };
        rig.confinement(cell.runtime)?;
        let confined = rig.confinement_for(self.setting, cell.runtime, escape.limit.as_ref());
        let arm = match confined {
            Ok(confined) => trial::run(self.setting, confined.get(), role),
            Err(reason) => trial::refused(reason),
        };
        Some(Attempt { cell: cell.clone(), terms: terms(rig, escape, cell.hook), arm })
    }

    /// A piece of useful work, bare and confined.
    fn useful(&self, cell: &UsefulCell) -> Option<Useful> {
        let case = self.useful.iter().find(|case| case.id == cell.case)?;
        Some(useful_run::perform(self.setting, self.rigs, case, cell))
    }

    fn escape(&self, id: &str) -> Option<&'a Escape> {
        self.escapes.iter().find(|escape| escape.id == id).copied()
    }
}

/// The jobs of a plan: a control for each escape and runtime, shared by all backends, and the cells.
fn jobs(plan: &Plan) -> Vec<Job> {
    let present = || plan.cells.iter().filter(|planned| planned.absent.is_none());
    let controls: BTreeSet<(String, Runtime)> =
        present().map(|planned| (planned.cell.escape.clone(), planned.cell.runtime)).collect();
    controls
        .into_iter()
        .map(|(escape, runtime)| Job::Control(escape, runtime))
        .chain(present().map(|planned| Job::Attempt(planned.cell.clone())))
        .chain(plan.useful.iter().cloned().map(Job::Useful))
        .collect()
}

/// On which terms a cell is judged: what the backend and the escape say, and nothing from the run.
pub fn terms(rig: &Rig, escape: &Escape, hook: bool) -> Terms {
    terms_of(&rig.profile, rig.user, escape, hook)
}

/// The same for a backend that is no rig.
pub(crate) fn terms_of(profile: &Profile, user: User, escape: &Escape, hook: bool) -> Terms {
    let mut terms = Terms {
        gap: profile.gap(escape.id).map(str::to_owned),
        errnos: profile.errnos.clone(),
        signals: profile.signals.clone(),
        exceptions: BTreeSet::new(),
        silent: profile.silent || escape.silent.is_some(),
        exits: BTreeSet::new(),
        ends: BTreeSet::new(),
        hook,
        absence: absence(escape, user),
    };
    if let (Some(limit), true) = (&escape.limit, profile.keeps_limits) {
        terms.errnos.extend(limit.errnos);
        terms.signals.extend(limit.signals);
        terms.exceptions.extend(limit.exceptions.iter().map(|class| (*class).to_owned()));
        terms.ends.extend(limit.ends);
    }
    if hook {
        // The hook refuses resources as the layer below does, and imports as Python does.
        terms.errnos.extend([libc::EPERM, libc::EACCES]);
        terms
            .exceptions
            .extend(["ImportError", "ModuleNotFoundError", "PermissionError"].map(str::to_owned));
        terms.exits.insert(TAMPERING);
    }
    terms
}

/// The errnos that prove, in the control, that there is no such surface here.
///
/// The capabilities of a user namespace are none over what belongs to the host. Which acts that concerns
/// is the kernel's business: one that needs a capability and has no effect unconfined is such a one.
fn absence(escape: &Escape, user: User) -> BTreeSet<i32> {
    let mut errnos: BTreeSet<i32> = escape.absent.iter().copied().collect();
    let capable = |need: &Need| matches!(need, Need::Capability(..));
    if user == User::InUserNamespace && escape.needs.iter().any(capable) {
        errnos.extend([libc::EPERM, libc::EACCES, libc::EINVAL]);
    }
    errnos
}

/// How many records a plan will give.
pub fn length(plan: &Plan) -> u64 {
    jobs(plan).len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_whose_calls_succeed_is_stopped_only_where_escape_or_backend_say_so() {
        let is_silent = |silent, escape: &Escape| {
            let profile = Profile { silent, ..Profile::default() };
            [false, true].map(|hook| terms_of(&profile, User::Root, escape, hook).silent)
        };
        let quiet = Escape { silent: Some("it tells nothing"), ..Escape::BLANK };
        let limited = Escape { limit: Some(crate::escape::Limit::BLANK), ..Escape::BLANK };
        assert_eq!(is_silent(false, &Escape::BLANK), [false; 2]);
        assert_eq!(is_silent(false, &limited), [false; 2]);
        assert_eq!(is_silent(true, &Escape::BLANK), [true; 2]);
        assert_eq!(is_silent(false, &quiet), [true; 2]);
    }

    #[test]
    fn a_refusal_proves_absence_only_of_what_needs_a_capability_in_a_user_namespace() {
        let capable = Escape { needs: &[Need::Capability(0, "CAP_CHOWN")], ..Escape::BLANK };
        let refusal = |escape, user| absence(escape, user).contains(&libc::EPERM);
        assert!(refusal(&capable, User::InUserNamespace));
        assert!(!refusal(&capable, User::Root) && !refusal(&capable, User::Ordinary));
        assert!(!refusal(&Escape::BLANK, User::InUserNamespace));
        assert!(absence(&Escape::BLANK, User::Root).contains(&libc::ENOSYS));
    }
}
