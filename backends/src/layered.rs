//! Linux. The backends that are made of this project's own layers: they differ in which layers they
//! apply, and in nothing else.

use crate::backend::{Backend, Confinement, Gap, Profile};
use crate::child::Child;
use crate::command::Command;
use crate::enforcement::Enforcement;
use crate::launch::{LaunchError, Prepared};
use crate::policy::{Commitment, Policy};
use crate::protection::{Protection, Reason, Support, Unavailable};
use crate::support;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How a policy becomes an enforcement.
pub type Lower = fn(&Policy) -> Result<Enforcement, Unavailable>;

/// A backend of own layers.
#[derive(Clone, Debug)]
pub struct Layered {
    pub(crate) name: String,
    pub(crate) lower: Lower,
    pub(crate) weakening: Option<Weakening>,
    /// Errnos by which it stops an act, beyond those of Landlock, the filter and the hygiene.
    pub(crate) errnos: &'static [i32],
    /// Which kernel layers it has, as its mechanism names them.
    pub(crate) mechanism: Option<&'static str>,
    pub(crate) warning: Option<&'static str>,
    /// Whether it promises to keep the limits of the policy. All of them set what they are told, but
    /// a layer alone is tried for what it stops by itself.
    pub(crate) keeps_limits: bool,
    /// Whether it applies the whole policy, so that it may commit to it.
    pub(crate) whole: bool,
    pub(crate) gaps: &'static [(&'static str, &'static str)],
    pub(crate) claims: &'static [Protection],
}

/// One protection taken away by hand, to see that the suite notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weakening {
    /// No Landlock ruleset.
    Landlock,
    /// No system call filter.
    Seccomp,
    /// Descriptors of the launcher stay open.
    Descriptors,
    /// The launcher's environment is passed on.
    Environment,
    /// Capabilities are kept.
    Capabilities,
    /// The one execution does not close the door behind it.
    ExecuteOnce,
    /// The limits of the policy are not applied, but wide ones that honest programs do not meet.
    Limits,
}

impl Weakening {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Landlock,
        Self::Seccomp,
        Self::Descriptors,
        Self::Environment,
        Self::Capabilities,
        Self::ExecuteOnce,
        Self::Limits,
    ];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Landlock => "landlock",
            Self::Seccomp => "seccomp",
            Self::Descriptors => "descriptors",
            Self::Environment => "environment",
            Self::Capabilities => "capabilities",
            Self::ExecuteOnce => "execute-once",
            Self::Limits => "limits",
        }
    }

    fn apply(self, enforcement: &mut Enforcement) {
        let hygiene = &mut enforcement.hygiene;
        match self {
            Self::Landlock => enforcement.landlock = None,
            Self::Seccomp => enforcement.seccomp = None,
            Self::Descriptors => hygiene.close_descriptors = false,
            Self::Environment => hygiene.environment = crate::enforcement::Environment::Inherited,
            Self::Capabilities => hygiene.drop_capabilities = false,
            Self::ExecuteOnce => hygiene.execute_once = false,
            Self::Limits => enforcement.limits = crate::policy::Limits::default(),
        }
    }
}

impl Layered {
    /// The same backend with one protection taken away. It commits to nothing any more.
    #[must_use]
    pub fn without(mut self, weakening: Weakening) -> Self {
        self.name = format!("{}-without-{}", self.name, weakening.name());
        self.weakening = Some(weakening);
        self.whole = false;
        self
    }

    /// Everything that the kernel would be told for this policy.
    ///
    /// # Errors
    /// When this processor has no filter.
    pub fn enforcement(&self, policy: &Policy) -> Result<Enforcement, Unavailable> {
        let mut enforcement = (self.lower)(policy)?;
        if let Some(weakening) = self.weakening {
            weakening.apply(&mut enforcement);
        }
        Ok(enforcement)
    }
}

impl Backend for Layered {
    fn name(&self) -> &str {
        &self.name
    }

    fn profile(&self) -> Profile {
        Profile {
            mechanism: self.mechanism.map(mechanism),
            // A single layer bears the name of what it is made of.
            layer: self.mechanism.filter(|mechanism| *mechanism == self.name),
            warning: self.warning,
            // Hygiene alone stops acts too; a bare process stops nothing.
            errnos: if self.claims.is_empty() { BTreeSet::new() } else { dialect(self.errnos) },
            signals: self.mechanism.map(|_| BTreeSet::from([libc::SIGSYS])).unwrap_or_default(),
            silent: false,
            keeps_limits: self.keeps_limits,
            gaps: self
                .gaps
                .iter()
                .map(|(escapes, reason)| Gap {
                    escapes: (*escapes).to_owned(),
                    reason: (*reason).to_owned(),
                })
                .collect(),
        }
    }

    fn support(&self) -> Support {
        support::probe(self, self.claims)
    }

    fn prepare(&self, policy: &Policy) -> Result<Box<dyn Confinement>, Unavailable> {
        let prepared = Arc::new(Prepared::new(self.enforcement(policy)?)?);
        prepared.try_view()?;
        let commitment = self.whole.then(|| policy.commitment());
        Ok(Box::new(Applied { prepared, commitment }))
    }
}

/// The errnos by which Landlock, the filter and the hygiene stop an act (linux.md: `EXDEV` is
/// Landlock's answer to a link or rename that would widen rights; `EBADF` is a descriptor that is not
/// there).
fn dialect(more: &[i32]) -> BTreeSet<i32> {
    let mut errnos = BTreeSet::from([
        libc::EACCES,
        libc::EPERM,
        libc::EXDEV,
        libc::ENOSYS,
        libc::ENOTTY,
        libc::EOPNOTSUPP,
        libc::EBADF,
    ]);
    errnos.extend(more);
    errnos
}

/// The layers with their versions, and the kernel.
fn mechanism(layers: &'static str) -> String {
    let abi = crate::sys::kernel::landlock_abi().map_or("0".to_owned(), |abi| abi.to_string());
    let release = nix::sys::utsname::uname()
        .map(|name| name.release().to_string_lossy().into_owned())
        .unwrap_or_default();
    format!("{} linux/{release}", layers.replace("landlock", &format!("landlock/{abi}")))
}

/// A policy under own layers.
#[derive(Debug)]
pub(crate) struct Applied {
    pub(crate) prepared: Arc<Prepared>,
    pub(crate) commitment: Option<Commitment>,
}

impl Confinement for Applied {
    fn launch(&self, command: Command) -> Result<Child, LaunchError> {
        self.prepared.launch(command)
    }

    fn keep_ready(&self) {
        self.prepared.keep_ready();
    }

    fn commitment(&self) -> Option<Commitment> {
        self.commitment
    }

    fn artefact(&self) -> Vec<u8> {
        self.prepared.artefact()
    }
}

/// The strict filter of this processor.
pub(crate) fn strict_filter() -> Result<crate::linux::seccomp::Filter, Unavailable> {
    use crate::linux::seccomp::{Arch, strict};
    Arch::native().map(strict).ok_or_else(|| Unavailable {
        protection: Protection::Spawn,
        call: "seccomp",
        reason: Reason::Behaviour(format!("no filter for {}", std::env::consts::ARCH)),
        remedy: "use an x86_64 or aarch64 host",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::seccomp::{Action, Errno, Rule};
    use crate::native::{native, native_hidden};

    /// Whatever else a call may answer is an accident of the act, a mistyped path or a wrong argument, and an accident
    /// must not pass for a denial.
    #[test]
    fn only_what_the_layers_answer_when_they_deny_counts_as_their_denial() {
        let filter = strict_filter().unwrap();
        let answers = filter.rules.values().filter_map(|rule| match rule {
            Rule::Always(Action::Errno(errno))
            | Rule::Checked { otherwise: errno, .. }
            | Rule::Feigned { refused: errno, .. } => Some(*errno),
            Rule::Always(Action::Allow | Action::KillProcess) | Rule::Once { .. } => None,
        });
        let of_filter = answers
            .chain([Errno::Enosys])
            // Told of a refusal that programs shall not notice, and of a clock or a code that there is not: so
            // does the kernel answer to a mistake.
            .filter(|errno| !matches!(errno, Errno::Success | Errno::Einval))
            .map(|errno| i32::from(errno.number()));
        // Landlock, and a descriptor that is not there.
        let of_others = [libc::EACCES, libc::EPERM, libc::EXDEV, libc::EBADF];
        let expected: BTreeSet<i32> = of_filter.chain(of_others).collect();
        assert_eq!(native().profile().errnos, expected);
        let hidden = native_hidden().profile().errnos;
        let more: Vec<&i32> = hidden.difference(&expected).collect();
        assert_eq!(more, [&libc::ENOENT, &libc::EROFS], "what is not there, and what is read-only");
        assert!(hidden.is_superset(&expected));
        assert_eq!(crate::none::none().profile().errnos, BTreeSet::new());
    }
}
