//! One change of an enforcement as data, and how it is made.

use crate::enforcement::{
    Enforcement, Environment, FileRight, NetworkRight, PathRule, Scope, Shown,
};
use crate::launch::with_execution;
use crate::linux::seccomp::{Action, Rule, compile};
use crate::policy::{Bound, Kind, Limits, Place};
use std::collections::{BTreeMap, BTreeSet};

/// A change of an [`Enforcement`]. What the enforcement does not have is left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Nothing but limits is left.
    Nothing,
    /// A whole layer is gone.
    Without(Layer),
    /// A file right is not handled, so it is given everywhere.
    Unhandle(FileRight),
    /// A network right is not handled.
    UnhandleNetwork(NetworkRight),
    /// A scope is dropped.
    Unscope(Scope),
    /// These rights are given on a place, beside those that it has.
    Give(Place, Kind, BTreeSet<FileRight>),
    /// These rights are taken from a place.
    Take(Place, BTreeSet<FileRight>),
    /// A system call gets this rule.
    Call(String, Rule),
    /// Calls without a rule get this.
    Default(Action),
    /// Calls of another architecture get this.
    ForeignArch(Action),
    /// Calls with an x32 number get this.
    X32(Action),
    /// A step of the launch is not taken.
    Skip(Step),
    /// A place is shown so in the mount namespace.
    Show(Place, Shown),
    /// A limit is not set.
    Unlimited(LimitName),
    /// Every variable of the environment is gone.
    NoVariables,
    /// Several changes, one after another.
    All(Vec<Edit>),
}

/// A layer that can be taken away as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the enforcement")]
pub enum Layer {
    View,
    Landlock,
    Seccomp,
    Hygiene,
}

/// A step of the launch, as in [`crate::enforcement::Hygiene`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the enforcement")]
pub enum Step {
    DieWithLauncher,
    OwnSession,
    NoNewPrivileges,
    DropCapabilities,
    CloseDescriptors,
    ExecuteOnce,
    NoCoreDump,
    FewPendingSignals,
    OrdinaryPriority,
    Environment,
}

/// A limit, as in [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the limits")]
pub enum LimitName {
    WallClock,
    CpuTime,
    AddressSpace,
    FileSize,
    OpenFiles,
    Output,
    RunDirectoryBytes,
    RunDirectoryEntries,
}

impl Edit {
    /// Makes the change.
    pub fn apply(&self, enforcement: &mut Enforcement) {
        match self {
            Self::Nothing => *enforcement = Enforcement::bare(enforcement.limits.clone()),
            Self::Without(Layer::View) => enforcement.view = None,
            Self::Show(place, shown) => {
                if let Some(view) = &mut enforcement.view {
                    view.places.insert(place.clone(), *shown);
                }
            }
            Self::Without(Layer::Landlock) => enforcement.landlock = None,
            Self::Without(Layer::Seccomp) => enforcement.seccomp = None,
            Self::Without(Layer::Hygiene) => without_hygiene(enforcement),
            Self::Skip(step) => step.skip(enforcement),
            Self::Unlimited(name) => *name.of(&mut enforcement.limits) = Bound::Unlimited,
            Self::NoVariables => {
                enforcement.hygiene.environment = Environment::Exactly(BTreeMap::new());
            }
            Self::All(edits) => edits.iter().for_each(|edit| edit.apply(enforcement)),
            Self::Unhandle(_)
            | Self::UnhandleNetwork(_)
            | Self::Unscope(_)
            | Self::Give(..)
            | Self::Take(..) => self.apply_to_landlock(enforcement),
            Self::Call(..) | Self::Default(_) | Self::ForeignArch(_) | Self::X32(_) => {
                self.apply_to_filter(enforcement);
            }
        }
    }

    fn apply_to_landlock(&self, enforcement: &mut Enforcement) {
        let Some(landlock) = &mut enforcement.landlock else { return };
        match self {
            Self::Unhandle(right) => {
                landlock.handled_files.remove(right);
                // The kernel takes no rule that gives a right which is not handled.
                landlock.rules.values_mut().for_each(|rule| {
                    rule.rights.remove(right);
                });
                landlock.rules.retain(|_, rule| !rule.rights.is_empty());
            }
            Self::UnhandleNetwork(right) => {
                landlock.handled_network.remove(right);
            }
            Self::Unscope(scope) => {
                landlock.scopes.remove(scope);
            }
            Self::Give(place, kind, rights) => {
                let rights = rights.intersection(&landlock.handled_files).copied();
                landlock
                    .rules
                    .entry(place.clone())
                    .or_insert_with(|| PathRule {
                        kind: *kind,
                        rights: BTreeSet::new(),
                        identity: None,
                    })
                    .rights
                    .extend(rights);
                landlock.rules.retain(|_, rule| !rule.rights.is_empty());
            }
            Self::Take(place, rights) => {
                if let Some(rule) = landlock.rules.get_mut(place) {
                    rule.rights.retain(|right| !rights.contains(right));
                }
                landlock.rules.retain(|_, rule| !rule.rights.is_empty());
            }
            Self::Nothing
            | Self::Without(_)
            | Self::Call(..)
            | Self::Default(_)
            | Self::ForeignArch(_)
            | Self::X32(_)
            | Self::Skip(_)
            | Self::Show(..)
            | Self::Unlimited(_)
            | Self::NoVariables
            | Self::All(_) => {}
        }
    }

    fn apply_to_filter(&self, enforcement: &mut Enforcement) {
        let Some(filter) = &mut enforcement.seccomp else { return };
        match self {
            Self::Call(name, rule) => {
                filter.rules.insert(name.clone(), rule.clone());
            }
            Self::Default(action) => filter.default = *action,
            Self::ForeignArch(action) => filter.foreign_arch = *action,
            Self::X32(action) => filter.x32 = *action,
            Self::Nothing
            | Self::Without(_)
            | Self::Unhandle(_)
            | Self::UnhandleNetwork(_)
            | Self::Unscope(_)
            | Self::Give(..)
            | Self::Take(..)
            | Self::Skip(_)
            | Self::Show(..)
            | Self::Unlimited(_)
            | Self::NoVariables
            | Self::All(_) => {}
        }
    }
}

/// All steps but the death rule and the session, which a bare process has too. The filter needs
/// `no_new_privs` where the launcher has no privileges.
fn without_hygiene(enforcement: &mut Enforcement) {
    for step in [
        Step::DropCapabilities,
        Step::CloseDescriptors,
        Step::ExecuteOnce,
        Step::NoCoreDump,
        Step::FewPendingSignals,
        Step::OrdinaryPriority,
        Step::Environment,
    ] {
        step.skip(enforcement);
    }
}

impl Step {
    fn skip(self, enforcement: &mut Enforcement) {
        let hygiene = &mut enforcement.hygiene;
        match self {
            Self::DieWithLauncher => hygiene.die_with_launcher = false,
            Self::OwnSession => hygiene.own_session = false,
            Self::NoNewPrivileges => hygiene.no_new_privileges = false,
            Self::DropCapabilities => hygiene.drop_capabilities = false,
            Self::CloseDescriptors => hygiene.close_descriptors = false,
            Self::ExecuteOnce => hygiene.execute_once = false,
            Self::FewPendingSignals => hygiene.few_pending_signals = false,
            Self::OrdinaryPriority => hygiene.ordinary_priority = false,
            Self::NoCoreDump => hygiene.no_core_dump = false,
            Self::Environment => hygiene.environment = Environment::Inherited,
        }
    }
}

impl LimitName {
    fn of(self, limits: &mut Limits) -> &mut Bound {
        match self {
            Self::WallClock => &mut limits.wall_clock_milliseconds,
            Self::CpuTime => &mut limits.cpu_seconds,
            Self::AddressSpace => &mut limits.address_space_bytes,
            Self::FileSize => &mut limits.file_size_bytes,
            Self::OpenFiles => &mut limits.open_files,
            Self::Output => &mut limits.output_bytes,
            Self::RunDirectoryBytes => &mut limits.run_directory_bytes,
            Self::RunDirectoryEntries => &mut limits.run_directory_entries,
        }
    }
}

/// What the kernel is told: the data, with the filter as it is compiled. A filter that cannot be
/// compiled is told as such, which equals no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    rest: Vec<u8>,
    filter: Option<Vec<u8>>,
}

impl Told {
    /// What the kernel is told for an enforcement.
    pub fn of(enforcement: &Enforcement) -> Self {
        let mut rest = enforcement.clone();
        with_execution(&mut rest);
        let filter = rest.seccomp.take().map(|filter| match compile(&filter) {
            Ok(program) => program.bytes(),
            Err(error) => format!("{error} {filter:?}").into_bytes(),
        });
        Self { rest: rest.artefact(), filter }
    }
}
