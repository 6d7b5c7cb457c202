//! What a sandbox is to this project: something that prepares a confinement for a policy, once a
//! session, which then launches programs, once each.

use crate::child::Child;
use crate::command::Command;
use crate::launch::LaunchError;
use crate::policy::{Commitment, Policy};
use crate::protection::{Support, Unavailable};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// A sandbox.
pub trait Backend: Debug + Send + Sync {
    /// Its name on the command line and in reports.
    fn name(&self) -> &str;

    /// What it is made of, and what it says of itself.
    fn profile(&self) -> Profile;

    /// What it can do on this host, found out by behaviour.
    fn support(&self) -> Support;

    /// Prepares the confinement for a policy.
    ///
    /// # Errors
    /// When the confinement cannot be applied on this host. Nothing ran.
    fn prepare(&self, policy: &Policy) -> Result<Box<dyn Confinement>, Unavailable>;
}

/// A policy made ready to be applied.
pub trait Confinement: Debug + Send + Sync {
    /// Launches one program under it.
    ///
    /// # Errors
    /// When the program or the confinement cannot be set up. Nothing of the program ran.
    fn launch(&self, command: Command) -> Result<Child, LaunchError>;

    /// Keeps a child ready for the next program, confined but for what depends on that, so that a launch does not
    /// wait for most of it. It is started now, and again when a program has ended; who launches the next at once gains
    /// nothing. The host has one process more, without a program, and one thread; the process ends with
    /// this confinement, with the host, and when the host executes another program.
    ///
    /// What a program inherits of its launcher and no policy speaks of (control group, namespaces, root directory,
    /// processors, priorities, other limits) is then the host's of the time when its child was made ready, and not what
    /// the launching thread alone has. A host in which these differ must not ask for it. What a thread has denied itself
    /// since is noticed, and the child not used: another user or group, `no_new_privs`, one more filter, a Landlock
    /// domain. A program that such a child became dies with the host, no longer with the thread that launched it.
    /// Without effect where a child cannot wait, and in a host that is not dumpable (prctl(2), `PR_SET_DUMPABLE`), as
    /// one is that has become another user.
    fn keep_ready(&self) {}

    /// The commitment to the policy that is applied, if this confinement is one.
    fn commitment(&self) -> Option<Commitment>;

    /// Everything that the kernel will be told, as bytes to hash: equal artefacts confine equally.
    fn artefact(&self) -> Vec<u8>;
}

/// What a backend says of itself before anything runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The mechanism, such as `landlock/7+seccomp linux/6.18.44`; none for a bare process.
    pub mechanism: Option<String>,
    /// The one layer that it is made of, if it is a single one.
    pub layer: Option<&'static str>,
    /// A warning that must be shown whenever it is used.
    pub warning: Option<&'static str>,
    /// The errnos by which its mechanism stops an act.
    pub errnos: BTreeSet<i32>,
    /// The signals by which it stops an act.
    pub signals: BTreeSet<i32>,
    /// Whether it may stop an act whose calls then succeed, as a private copy of a tree does.
    pub silent: bool,
    /// Whether it promises to keep the limits of the policy.
    pub keeps_limits: bool,
    /// The escapes that it does not hold, with the reason.
    pub gaps: Vec<Gap>,
}

/// A declared gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// An escape's id, or a prefix that ends in `*`.
    pub escapes: String,
    /// Why it is not held.
    pub reason: String,
}

impl Profile {
    /// Why this backend declares that it does not hold an escape, if it does.
    pub fn gap(&self, escape: &str) -> Option<&str> {
        let matches = |gap: &&Gap| match gap.escapes.strip_suffix('*') {
            Some(prefix) => escape.starts_with(prefix),
            None => gap.escapes == escape,
        };
        self.gaps.iter().find(matches).map(|gap| gap.reason.as_str())
    }
}
