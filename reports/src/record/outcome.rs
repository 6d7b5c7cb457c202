//! Conclusions, and the terms on which they are drawn. A conclusion holds kinds only: whatever may
//! differ between two runs of the same facts stays in the records.

use super::{EffectKind, Finish};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The terms on which a cell is judged; they come from the escape and the backend, never from the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// Why this backend declares that it does not hold this escape, if it does.
    pub gap: Option<String>,
    /// The errnos by which this backend's mechanism can stop an act.
    pub errnos: BTreeSet<i32>,
    /// The signals by which it can stop an act.
    pub signals: BTreeSet<i32>,
    /// The Python exceptions without errno by which it can stop an act.
    pub exceptions: BTreeSet<String>,
    /// Whether an act can be stopped although its calls succeed (a private copy, a swallowed signal).
    pub silent: bool,
    /// The exit codes by which it ends a program in the middle of an act.
    pub exits: BTreeSet<i32>,
    /// The ends by a limit that stop an act, where the act is to exceed that limit.
    pub ends: BTreeSet<Finish>,
    /// Whether the audit hook is on: what it holds does not make a gap of the backend stale.
    pub hook: bool,
    /// The errnos that, in the control, prove that this host has no such surface.
    pub absence: BTreeSet<i32>,
}

/// What a trial showed, after judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub enum Outcome {
    /// The act was stopped, and nothing in the trial leaves room for doubt.
    Held {
        /// By what: an errno name, a signal name, an exception, or `silence`.
        by: String,
    },
    /// The effect was seen outside.
    Escaped {
        /// The kinds of effect that were seen.
        evidence: BTreeSet<EffectKind>,
    },
    /// The effect was seen, and the backend declares this gap.
    Residue {
        /// The declared reason.
        reason: String,
        /// The kinds of effect that were seen.
        evidence: BTreeSet<EffectKind>,
    },
    /// The backend declares this gap, yet it held.
    Stale {
        /// The declared reason.
        reason: String,
    },
    /// This host has no such surface.
    NotApplicable {
        /// The proof of absence. Written as `proof`: a key has one type in a verdict.
        #[serde(rename = "proof")]
        evidence: String,
    },
    /// The trial proves nothing.
    Inconclusive {
        /// Why.
        why: Doubt,
    },
}

impl Outcome {
    /// The word used in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Held { .. } => "held",
            Self::Escaped { .. } => "escaped",
            Self::Residue { .. } => "residue",
            Self::Stale { .. } => "stale",
            Self::NotApplicable { .. } => "not-applicable",
            Self::Inconclusive { .. } => "inconclusive",
        }
    }
}

/// Why a trial proves nothing. The words that belong to it stand in the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// No record for a planned cell.
    NoRecord,
    /// The control did not start.
    ControlNotStarted,
    /// The control's twin failed: the instrument is broken.
    ControlTwin,
    /// The control never said that it stood before the act: the instrument is broken.
    ControlNotReached,
    /// The act had no effect in the control: the instrument is broken.
    ControlWithoutEffect,
    /// The confined program did not start.
    NotStarted,
    /// The permitted neighbour failed before the act.
    TwinBefore,
    /// The program never said that it stood before the act.
    NotReached,
    /// The program gave no word on the act.
    NoAnswer,
    /// The program ran into its deadline.
    TimedOut,
    /// The program ran into its output cap.
    OutputCapped,
    /// The program filled its run directory beyond its quota.
    QuotaExceeded,
    /// The program ran out of CPU time.
    CpuTimeExceeded,
    /// The act ended in a way that this mechanism cannot produce.
    OddAnswer,
    /// The program ended in a way that does not follow from its answer.
    OddFinish,
    /// The permitted neighbour failed after the act.
    TwinAfter,
    /// The sweep found something.
    Swept,
}

impl Doubt {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoRecord => "no-record",
            Self::ControlNotStarted => "control-not-started",
            Self::ControlTwin => "control-twin",
            Self::ControlNotReached => "control-not-reached",
            Self::ControlWithoutEffect => "control-without-effect",
            Self::NotStarted => "not-started",
            Self::TwinBefore => "twin-before",
            Self::NotReached => "not-reached",
            Self::NoAnswer => "no-answer",
            Self::TimedOut => "timed-out",
            Self::OutputCapped => "output-capped",
            Self::QuotaExceeded => "quota-exceeded",
            Self::CpuTimeExceeded => "cpu-time-exceeded",
            Self::OddAnswer => "odd-answer",
            Self::OddFinish => "odd-finish",
            Self::TwinAfter => "twin-after",
            Self::Swept => "swept",
        }
    }
}

/// What became of a useful-work case under a sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub enum UsefulOutcome {
    /// It works, with and without the sandbox.
    Works,
    /// It works without the sandbox only: over-denial.
    Broken {
        /// How.
        why: Flaw,
    },
    /// This host lacks what the case needs, a program or a module.
    NotApplicable {
        /// The proof of absence. Written as `proof`: a key has one type in a verdict.
        #[serde(rename = "proof")]
        evidence: String,
    },
    /// The case proves nothing.
    Inconclusive {
        /// Why.
        why: Flaw,
    },
}

impl UsefulOutcome {
    /// The word used in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Broken { .. } => "broken",
            Self::NotApplicable { .. } => "not-applicable",
            Self::Inconclusive { .. } => "inconclusive",
        }
    }

    /// How it fails, if it does.
    pub fn flaw(&self) -> Option<Flaw> {
        match self {
            Self::Works | Self::NotApplicable { .. } => None,
            Self::Broken { why } | Self::Inconclusive { why } => Some(*why),
        }
    }
}

/// How a useful-work case can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// No record for a planned case.
    NoRecord,
    /// It does not work without the sandbox either.
    Control,
    /// The program never ran.
    NotStarted,
    /// The program's exit code is not 0.
    Failed,
    /// A signal ended the program.
    Signalled,
    /// The program ran into its deadline.
    TimedOut,
    /// The program ran into its output cap.
    OutputCapped,
    /// The program filled its run directory beyond its quota.
    QuotaExceeded,
    /// The program ran out of CPU time.
    CpuTimeExceeded,
    /// The program ended well and its work was not found.
    Unproved,
}

impl Flaw {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoRecord => "no-record",
            Self::Control => "control",
            Self::NotStarted => "not-started",
            Self::Failed => "failed",
            Self::Signalled => "signalled",
            Self::TimedOut => "timed-out",
            Self::OutputCapped => "output-capped",
            Self::QuotaExceeded => "quota-exceeded",
            Self::CpuTimeExceeded => "cpu-time-exceeded",
            Self::Unproved => "unproved",
        }
    }
}
