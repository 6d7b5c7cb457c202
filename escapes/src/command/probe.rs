//! `escapology probe`: the rung of this host in milliseconds, by the plainest escape of each kind.

use super::selection::native_of;
use super::{out, say};
use clap::Args;
use harness::certify::Run;
use harness::escape::Escape;
use harness::host;
use harness::judge::judge;
use harness::plan::{self, Selection};
use harness::rig::Rig;
use harness::setting::Setting;
use reports::details::headline;
use reports::record::{Outcome, Plan, Record, Runtime, Start};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

/// File read, file write, subprocess, loopback: the plainest escape of each kind.
const KINDS: [(&str, &str); 4] = [
    ("file read", "fs-read/open"),
    ("file write", "fs-write/create"),
    ("subprocess", "exec/fork"),
    ("loopback", "network/tcp-connect"),
];

#[derive(Debug, Args)]
pub(crate) struct Probe {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Try also that paths outside cannot be looked at, with a mount namespace
    #[arg(long)]
    hide_metadata: bool,
}

/// A kind, how its escape ended, and why a program of it did not start.
type Seen = (&'static str, Option<(Outcome, Option<String>)>);

/// What a probe found.
pub(crate) struct Found {
    tier: &'static str,
    mechanism: Option<String>,
    commitment: Option<String>,
    /// What was seen, line by line: of what, and how it ended.
    pub(crate) lines: Vec<(&'static str, String)>,
    /// The exit code: zero for S1.
    pub(crate) code: u8,
}

impl Probe {
    pub(crate) fn run(self) -> ExitCode {
        let found = match probe(self.hide_metadata) {
            Ok(found) => found,
            Err(reason) => {
                say(&reason);
                Found {
                    tier: "S0",
                    mechanism: None,
                    commitment: None,
                    lines: vec![("unavailable", reason)],
                    code: 3,
                }
            }
        };
        let lines: BTreeMap<&str, &str> =
            found.lines.iter().map(|(kind, line)| (*kind, line.as_str())).collect();
        let text = if self.json {
            let object = json!({
                "schema": "escapology/probe/v1",
                "tier": found.tier,
                "mechanism": found.mechanism,
                "commitment": found.commitment,
                "seen": lines,
            });
            format!("{object}\n")
        } else {
            let seen: String =
                found.lines.iter().map(|(kind, line)| format!("  {kind:<12} {line}\n")).collect();
            let mechanism = found.mechanism.as_deref().unwrap_or("no mechanism");
            format!("{} ({mechanism})\n{seen}", found.tier)
        };
        let printed = out(&text);
        if printed == ExitCode::SUCCESS { ExitCode::from(found.code) } else { printed }
    }
}

/// Runs the probe.
///
/// # Errors
/// Why nothing could be tried.
pub(crate) fn probe(hide_metadata: bool) -> Result<Found, String> {
    let runtimes = [Runtime::Native];
    let setting = Setting::find(&runtimes).map_err(|error| error.to_string())?;
    let kinds = kinds(hide_metadata);
    let chosen = chosen(&kinds)?;
    let rigs = [Rig::new(native_of(hide_metadata), &setting, &runtimes)];
    let rig = &rigs[0];
    if let Some(reason) = &rig.facts.unavailable {
        return Err(reason.clone());
    }
    let cells = plan::cells(&chosen, &rigs, &runtimes, &Selection::default(), host::lacks);
    let plan = Plan {
        cells,
        useful: Vec::new(),
        catalogue: String::new(),
        program: String::new(),
        filtered: true,
        runtimes: BTreeSet::from(runtimes),
    };
    let run = Run::new(&setting, &rigs, &chosen, &[], &runtimes)?;
    let (mut controls, mut attempts) = (BTreeMap::new(), BTreeMap::new());
    run.fill(&plan, |record| match record {
        Record::Control(control) => drop(controls.insert(control.escape.clone(), control)),
        Record::Attempt(attempt) => drop(attempts.insert(attempt.cell.escape.clone(), attempt)),
        Record::Host(_) | Record::Backend(_) | Record::Plan(_) | Record::Useful(_) => {}
    });
    let outcome = |id: &str| {
        let (control, attempt) = (controls.get(id)?, attempts.get(id)?);
        let refused = [&attempt.arm, &control.arm].into_iter().find_map(|arm| match &arm.start {
            Start::Refused(why) => Some(why.clone()),
            Start::Started => None,
        });
        Some((judge(&attempt.terms, &control.arm, &attempt.arm), refused))
    };
    let outcomes: Vec<Seen> = kinds.iter().map(|(kind, id)| (*kind, outcome(id))).collect();
    Ok(conclude(rig, &outcomes))
}

/// S1 if every kind is held and every protection of the backend was seen to deny.
fn conclude(rig: &Rig, outcomes: &[Seen]) -> Found {
    let mut lines = Vec::new();
    let (mut held, mut escaped) = (true, false);
    for (kind, outcome) in outcomes {
        held &= matches!(outcome, Some((Outcome::Held { .. }, _)));
        escaped |= matches!(outcome, Some((Outcome::Escaped { .. }, _)));
        let line = match outcome {
            Some((Outcome::Held { by }, _)) => format!("held by {by}; the control got through"),
            Some((other, Some(refused))) => format!("{}: {refused}", headline(other)),
            Some((other, None)) => headline(other),
            None => "no record".to_owned(),
        };
        lines.push((*kind, line));
    }
    for (protection, why) in rig.facts.support.missing() {
        held = false;
        lines.push((protection.name(), format!("unavailable: {why}")));
    }
    let (tier, code) = match (held, escaped) {
        (true, _) => ("S1", 0),
        (false, true) => ("S0", 1),
        (false, false) => ("S0", 3),
    };
    let earned = held.then(|| (rig.facts.mechanism.clone(), rig.facts.commitment.clone()));
    let (mechanism, commitment) = earned.unwrap_or_default();
    Found { tier, mechanism, commitment, lines, code }
}

/// The kinds that are tried.
fn kinds(hide_metadata: bool) -> Vec<(&'static str, &'static str)> {
    let hidden = hide_metadata.then_some(("metadata", "metadata/stat"));
    KINDS.into_iter().chain(hidden).collect()
}

fn chosen(kinds: &[(&str, &str)]) -> Result<Vec<&'static Escape>, String> {
    let all = escapes::all();
    kinds
        .iter()
        .map(|(_, id)| {
            let found = all.iter().find(|escape| escape.id == *id).copied();
            found.ok_or_else(|| format!("the catalogue holds no escape {id}"))
        })
        .collect()
}
