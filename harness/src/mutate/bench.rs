//! Where mutants are tried: the trials, and what they share. A control and an unmutated outcome are
//! made once for an escape, whatever number of mutants it meets.

use super::subject::Subject;
use crate::certify::terms_of;
use crate::escape::Escape;
use crate::host;
use crate::judge::judge;
use crate::plan::carries;
use crate::setting::Setting;
use crate::trial::{self, Role};
use crate::useful::UsefulWork;
use crate::useful_judge::judge_useful;
use crate::useful_run;
use backends::audit_only::audit_only;
use backends::backend::{Backend, Confinement};
use backends::layered::Layered;
use backends::mutant::{Edit, HookEdit, Mutated};
use backends::native::native;
use backends::none::none;
use reports::record::{Arm, Outcome, Runtime, UsefulOutcome, UsefulRun, User};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What a trial stands on: the backend with its changes, and the hook.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ground {
    /// `native` after these edits, without the hook.
    Kernel(Vec<Edit>),
    /// `audit-only` with the hook after these edits.
    Hook(Vec<HookEdit>),
}

impl Ground {
    /// The ground without any mutation.
    pub(crate) fn unmutated(hook: bool) -> Self {
        if hook { Self::Hook(Vec::new()) } else { Self::Kernel(Vec::new()) }
    }

    /// This ground after the mutation of a subject that stands on it.
    pub(crate) fn with(mut self, subject: &Subject) -> Self {
        match (&mut self, subject) {
            (Self::Kernel(edits), Subject::Kernel(mutant)) => edits.push(mutant.edit.clone()),
            (Self::Hook(edits), Subject::Hook(mutant)) => edits.push(mutant.edit.clone()),
            (Self::Kernel(_), Subject::Hook(_)) | (Self::Hook(_), Subject::Kernel(_)) => {}
        }
        self
    }

    fn hook_edits(&self) -> &[HookEdit] {
        match self {
            Self::Kernel(_) => &[],
            Self::Hook(edits) => edits,
        }
    }

    fn backend(&self) -> Mutated {
        let (layered, edits): (Layered, Vec<Edit>) = match self {
            Self::Kernel(edits) => (native(), edits.clone()),
            Self::Hook(_) => (audit_only(), Vec::new()),
        };
        Mutated::new(layered, edits)
    }

    /// Whether the programs run under the hook.
    fn hook(&self) -> bool {
        match self {
            Self::Kernel(_) => false,
            Self::Hook(edits) => !edits.contains(&HookEdit::Off),
        }
    }

    /// What carries an escape here, if anything does.
    pub(crate) fn runtime(&self, escape: &Escape) -> Option<Runtime> {
        let runtimes: &[Runtime] = match self {
            Self::Kernel(_) => &[Runtime::Native, Runtime::Python],
            Self::Hook(_) => &[Runtime::Python],
        };
        runtimes.iter().copied().find(|runtime| carries(escape, *runtime))
    }
}

type Shared<K, V> = Mutex<BTreeMap<K, Arc<Mutex<Option<V>>>>>;

/// The bench.
#[derive(Debug)]
pub(crate) struct Bench<'a> {
    setting: &'a Setting,
    user: User,
    controls: Shared<(String, Runtime), Arm>,
    outcomes: Shared<(String, bool), Outcome>,
    works: Shared<String, UsefulRun>,
    worked: Shared<(String, bool), UsefulOutcome>,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(setting: &'a Setting) -> Self {
        Self {
            setting,
            user: host::user(),
            controls: Mutex::default(),
            outcomes: Mutex::default(),
            works: Mutex::default(),
            worked: Mutex::default(),
        }
    }

    /// The outcome of an escape without any mutation, on the kernel's ground or the hook's.
    pub(crate) fn unmutated(&self, escape: &Escape, hook: bool) -> Outcome {
        let ground = Ground::unmutated(hook);
        once(&self.outcomes, (escape.id.to_owned(), hook), || self.outcome(escape, &ground))
    }

    /// The outcome of an escape on a ground.
    pub(crate) fn outcome(&self, escape: &Escape, ground: &Ground) -> Outcome {
        let absent = |evidence: &str| Outcome::NotApplicable { evidence: evidence.to_owned() };
        let Some(runtime) = ground.runtime(escape) else { return absent("no form for it") };
        if let Some(evidence) = escape.needs.iter().find_map(|need| host::lacks(*need)) {
            return absent(&evidence);
        }
        let control = once(&self.controls, (escape.id.to_owned(), runtime), || {
            self.arm(&none(), Role { escape, runtime, hook: false }, &[], false)
        });
        let backend = ground.backend();
        let role = Role { escape, runtime, hook: ground.hook() };
        let profile = backend.profile();
        let arm = self.arm(&backend, role, ground.hook_edits(), profile.keeps_limits);
        judge(&terms_of(&profile, self.user, escape, ground.hook()), &control, &arm)
    }

    /// One arm. Where the backend keeps limits and the act is to exceed one, that one is narrow.
    fn arm(&self, backend: &dyn Backend, role: Role<'_>, edits: &[HookEdit], narrow: bool) -> Arm {
        let policy = match role.escape.limit.filter(|_| narrow) {
            Some(limit) => self.setting.narrowed(role.runtime, limit.narrow),
            None => self.setting.policy(role.runtime),
        };
        let prepared: Result<Box<dyn Confinement>, String> = policy
            .map_err(|error| error.to_string())
            .and_then(|policy| backend.prepare(&policy).map_err(|error| error.to_string()));
        match prepared {
            Ok(confinement) => trial::run(&self.with(edits), &*confinement, role),
            Err(reason) => trial::refused(reason),
        }
    }

    /// The setting with the hook changed.
    fn with(&self, edits: &[HookEdit]) -> Setting {
        Setting { hook_edits: edits.to_vec(), ..self.setting.clone() }
    }

    /// The outcome of useful work without any mutation.
    pub(crate) fn unmutated_work(&self, case: &UsefulWork, hook: bool) -> UsefulOutcome {
        let ground = Ground::unmutated(hook);
        once(&self.worked, (case.id.to_owned(), hook), || self.work(case, &ground))
    }

    /// The outcome of useful work on a ground.
    pub(crate) fn work(&self, case: &UsefulWork, ground: &Ground) -> UsefulOutcome {
        let control = once(&self.works, case.id.to_owned(), || {
            useful_run::once(self.setting, &none(), case, None)
        });
        let setting = self.with(ground.hook_edits());
        let confined = useful_run::once(&setting, &ground.backend(), case, Some(ground.hook()));
        judge_useful(&control, &confined)
    }
}

/// Makes a value once for a key; who comes meanwhile waits for it.
fn once<K: Ord, V: Clone>(shared: &Shared<K, V>, key: K, make: impl FnOnce() -> V) -> V {
    let place = {
        let mut map = shared.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(map.entry(key).or_default())
    };
    let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
    place.get_or_insert_with(make).clone()
}
