//! The records of one run: the host, the backends, the plan, and one record an arm.

use super::{Arm, Cell, Column, Finish, Runtime, Terms};
use backends::protection::Support;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// One line of `records.jsonl`. The lines may stand in any order: no conclusion depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "record")]
pub enum Record {
    /// The host. Once a run.
    Host(HostFacts),
    /// One backend. Once a backend that was asked for.
    Backend(BackendFacts),
    /// What was to be done. Once a run, and the truth about coverage.
    Plan(Plan),
    /// The null arm. Once for each escape and runtime, shared by all backends.
    Control(Control),
    /// The confined arm. Once a planned cell.
    Attempt(Attempt),
    /// A piece of useful work. Once a planned case.
    Useful(Useful),
}

/// What is known of the host, as plain data. Everything here enters the digest of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostFacts {
    /// The operating system, as in `std::env::consts::OS`.
    pub system: String,
    /// The kernel's release, as in `uname -r`.
    pub kernel: String,
    /// The processor, as in `uname -m`.
    pub architecture: String,
    /// What Landlock the kernel offers.
    pub landlock: Landlock,
    /// The actions that the system-call filter knows (`/proc/sys/kernel/seccomp/actions_avail`).
    pub seccomp_actions: BTreeSet<String>,
    /// The active security modules in the kernel's order (`/sys/kernel/security/lsm`), if readable.
    pub security_modules: Option<Vec<String>>,
    /// Whether an ordinary user may create a user namespace, if known.
    pub user_namespaces: Option<bool>,
    /// The effective user.
    pub uid: u32,
    /// Whose user it is.
    pub user: User,
    /// The effective capabilities in hexadecimal (`CapEff` of `/proc/self/status`), empty where
    /// there are none such.
    pub capabilities: String,
}

/// What kind of user runs the trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum User {
    /// Root of the host.
    Root,
    /// Another user of the host.
    Ordinary,
    /// A user of a user namespace, whatever its number: its capabilities are none over what belongs to
    /// the host (user_namespaces(7)).
    InUserNamespace,
}

/// What Landlock a kernel offers (`landlock_create_ruleset(2)`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Landlock {
    /// The version of its interface; 0 where there is none.
    pub abi: u32,
    /// The errata that are fixed, as the kernel's bit mask.
    pub errata: u32,
}

/// What is known of a backend before anything runs under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackendFacts {
    /// Its name.
    pub name: String,
    /// Its mechanism; none for a bare process, which is S0 whatever it seems to hold.
    pub mechanism: Option<String>,
    /// The one layer that it is made of, if it is a single layer, for the depth map.
    pub layer: Option<String>,
    /// What it can do here.
    pub support: Support,
    /// Whether it promises to keep the limits of the policy.
    pub keeps_limits: bool,
    /// The commitment to the policy that it applied, if its confinement is one.
    pub commitment: Option<String>,
    /// The digest of everything that the kernel was told, in hexadecimal.
    pub artefact: Option<String>,
    /// A warning that must be shown whenever it is used.
    pub warning: Option<String>,
    /// Why it cannot be used on this host, if it cannot. It has no planned cells then.
    pub unavailable: Option<String>,
}

/// What a run is to do. A planned cell without a record is a doubt, a record without a planned cell
/// is an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The cells.
    pub cells: Vec<PlannedCell>,
    /// The pieces of useful work.
    pub useful: Vec<UsefulCell>,
    /// The digest of the whole catalogue, in hexadecimal.
    pub catalogue: String,
    /// The digest of the program under test, in hexadecimal.
    pub program: String,
    /// Whether a filter left cells out. Such a run earns no tier.
    pub filtered: bool,
    /// The runtimes that were asked for.
    pub runtimes: BTreeSet<Runtime>,
}

/// One cell to fill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedCell {
    /// Which cell.
    pub cell: Cell,
    /// What holding it is worth.
    pub bar: Bar,
    /// Why this host has no such surface, if that was proved before anything ran. Nothing runs then.
    pub absent: Option<String>,
}

/// What holding an escape is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bar {
    /// S1 requires that it is held.
    S1,
    /// S1 allows it as residue, which the verdict names.
    Residue,
    /// It is a limit: no rung rests on it, and a backend that keeps limits must hold it.
    Limit,
}

/// One piece of useful work against one backend.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsefulCell {
    /// The backend's name.
    pub backend: String,
    /// The runtime that carries the work.
    pub runtime: Runtime,
    /// Whether the Python audit hook is on. Always false for [`Runtime::Native`].
    pub hook: bool,
    /// The case's id, such as `python/sqlite`.
    pub case: String,
}

impl fmt::Display for UsefulCell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = Column { runtime: self.runtime, hook: self.hook };
        write!(formatter, "{} against {}, {column}", self.case, self.backend)
    }
}

/// The null arm of an escape: backend `none`, hook off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// The escape's id.
    pub escape: String,
    /// The runtime that carried it.
    pub runtime: Runtime,
    /// What it showed.
    pub arm: Arm,
}

/// The confined arm of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// Which cell.
    pub cell: Cell,
    /// On which terms it is judged.
    pub terms: Terms,
    /// What it showed.
    pub arm: Arm,
}

/// A piece of useful work, done twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Useful {
    /// Which piece, against which backend.
    pub cell: UsefulCell,
    /// Without a sandbox.
    pub control: UsefulRun,
    /// Under the backend.
    pub confined: UsefulRun,
}

/// One run of a piece of useful work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsefulRun {
    /// How the program ended.
    pub finish: Finish,
    /// Whether its work was found from outside.
    pub proved: bool,
    /// What this host lacks for the work, as the plan found it or as the program ended by saying it.
    /// Believed of the control only: a confined program's word would excuse its sandbox.
    pub absent: Option<String>,
    /// The end of its standard error, or why it did not start. For people; never judged.
    pub remark: String,
}
