//! The facts of a run, one record an arm. Facts are stored, conclusions are computed:
//! `harness` judges these values, every report is a pure function of them.

mod file;
mod outcome;
mod run;

pub use file::{LINE_LIMIT, ReadError, WriteError, Writer, read};
pub use outcome::{Doubt, Flaw, Outcome, Terms, UsefulOutcome};
pub use run::{
    Attempt, BackendFacts, Bar, Control, HostFacts, Landlock, Plan, PlannedCell, Record, Useful,
    UsefulCell, UsefulRun, User,
};

use serde::{Deserialize, Serialize};
use std::fmt;

/// What carries an escape: machine code, which no hook can see, or the Python interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Runtime {
    /// A native program.
    Native,
    /// A program for the base Python interpreter.
    Python,
}

impl Runtime {
    /// The word used in names, reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Python => "python",
        }
    }
}

/// One cell of the plan: this escape, carried by this runtime, against this backend.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The backend's name.
    pub backend: String,
    /// The runtime that carries the escape.
    pub runtime: Runtime,
    /// Whether the Python audit hook is on. Always false for [`Runtime::Native`].
    pub hook: bool,
    /// The escape's id, such as `fs-read/open`.
    pub escape: String,
}

impl fmt::Display for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = Column { runtime: self.runtime, hook: self.hook };
        write!(formatter, "{} against {}, {column}", self.escape, self.backend)
    }
}

/// What carries an escape or a piece of useful work: a column of every report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column {
    /// The runtime.
    pub runtime: Runtime,
    /// Whether the Python audit hook is on.
    pub hook: bool,
}

impl fmt::Display for Column {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.runtime.name())?;
        formatter.write_str(if self.hook { "+hook" } else { "" })
    }
}

/// Everything that one start of an escape program showed. The control and the attempt are both
/// arms: they differ in the backend alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// Whether the program was started at all.
    pub start: Start,
    /// The permitted neighbour of the act, before the act.
    pub twin_before: Twin,
    /// Whether the program said that it stood before the act.
    pub reached: bool,
    /// How the act ended in the program's own words, or by its death.
    pub answer: Answer,
    /// The permitted neighbour of the act, after the act.
    pub twin_after: Twin,
    /// What was seen from outside. The only thing that makes an escape.
    pub effects: Vec<Effect>,
    /// How the program ended.
    pub finish: Finish,
    /// What the sweep found or could not remove.
    pub findings: Vec<String>,
    /// The end of the program's standard error, capped and made printable. For people; never judged.
    pub remarks: String,
}

/// Whether the program was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The program was started.
    Started,
    /// Nothing ran, with the reason.
    Refused(String),
}

/// Whether the permitted neighbour of an act was seen to succeed from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Twin {
    /// The proof was found by the watcher.
    Proved,
    /// The proof is missing.
    Missing,
}

/// How the act ended. The program's own word: it can make an outcome worse, never better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// No word came.
    None,
    /// The program believes that the act succeeded.
    Done,
    /// A call of the act failed with this errno.
    Errno(i32),
    /// A Python exception of this class, without an errno.
    Exception(String),
    /// The program died by this signal during the act.
    Killed(i32),
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// It never ran.
    NotStarted,
    /// It exited with this code.
    Exited(i32),
    /// It was ended by this signal.
    Signalled(i32),
    /// Its wall-clock deadline passed.
    TimedOut,
    /// It wrote more than its output cap.
    OutputCapped,
    /// Its run directory held more than its quota.
    QuotaExceeded,
    /// It used more CPU time than its limit.
    CpuTimeExceeded,
}

impl Finish {
    /// The limit that ended the program, if one did.
    pub fn limit(self) -> Option<&'static str> {
        match self {
            Self::NotStarted | Self::Exited(_) | Self::Signalled(_) => None,
            Self::TimedOut => Some("wall-clock"),
            Self::OutputCapped => Some("output-cap"),
            Self::QuotaExceeded => Some("run-directory-quota"),
            Self::CpuTimeExceeded => Some("cpu-time"),
        }
    }
}

/// One effect seen from outside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// What kind of effect it is.
    pub kind: EffectKind,
    /// Where and how it was seen. May differ between runs, so it never enters a verdict.
    pub detail: String,
}

/// The kinds of effect that the watchers can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectKind {
    /// This trial's secret token was found in something that the program emitted.
    TokenLeaked,
    /// The decoy tree outside the policy changed.
    TreeChanged,
    /// A listener accepted a connection or got a datagram, or the program answered a call.
    Contacted,
    /// The victim process was signalled, changed or killed.
    VictimChanged,
    /// A process was seen that the policy does not allow.
    ProcessSeen,
    /// The program held a descriptor, credential, namespace or other kernel object that the policy denies.
    ObjectHeld,
    /// An object of the kernel outside the world (IPC object, key, queue) was changed, removed or left.
    ObjectChanged,
    /// The program used more of the machine than a limit allows.
    LimitExceeded,
}

impl EffectKind {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::TokenLeaked => "token-leaked",
            Self::TreeChanged => "tree-changed",
            Self::Contacted => "contacted",
            Self::VictimChanged => "victim-changed",
            Self::ProcessSeen => "process-seen",
            Self::ObjectHeld => "object-held",
            Self::ObjectChanged => "object-changed",
            Self::LimitExceeded => "limit-exceeded",
        }
    }
}
