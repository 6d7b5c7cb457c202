//! `escapology probe`: the rung of this host in milliseconds, as the library finds it out.

use super::{out, say};
use backends::probe::{self, NotEarned};
use backends::tier::demanded;
use clap::Args;
use reports::exit::Exit;
use serde_json::json;
use std::collections::BTreeMap;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Probe {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Try also that paths outside cannot be looked at, with a mount namespace
    #[arg(long)]
    hide_metadata: bool,
}

impl Probe {
    pub(crate) fn run(self) -> ExitCode {
        let demanded = match demanded() {
            Ok(demanded) => demanded,
            Err(error) => {
                say(&error.to_string());
                return ExitCode::from(Exit::Usage.code());
            }
        };
        let found = if self.hide_metadata { probe::host_hiding_metadata() } else { probe::host() };
        let (tier, mechanism, commitment) = match &found.rung {
            Ok(earned) => {
                let commitment = earned.commitment().to_string();
                ("S1", Some(earned.mechanism()), Some(commitment))
            }
            Err(_) => ("S0", None, None),
        };
        let lines = lines(found);
        let text = if self.json {
            let seen: BTreeMap<&str, &str> =
                lines.iter().map(|(what, line)| (*what, line.as_str())).collect();
            let object = json!({
                "schema": "escapology/probe/v1",
                "tier": tier,
                "mechanism": mechanism,
                "commitment": commitment,
                "seen": seen,
            });
            format!("{object}\n")
        } else {
            let seen: String =
                lines.iter().map(|(what, line)| format!("  {what:<12} {line}\n")).collect();
            format!("{tier} ({})\n{seen}", mechanism.unwrap_or("no mechanism"))
        };
        if let Err(why) = &found.rung {
            say(&why.to_string());
        }
        let printed = out(&text);
        if printed == ExitCode::SUCCESS {
            ExitCode::from(code(found, demanded).code())
        } else {
            printed
        }
    }
}

fn code(found: &probe::Probe, demanded: bool) -> Exit {
    match &found.rung {
        Ok(_) => Exit::Earned,
        Err(NotEarned::Escaped(_)) => Exit::NotEarned,
        Err(_) if demanded => Exit::NotEarned,
        Err(_) => Exit::Inconclusive,
    }
}

/// What was seen, line by line: of what, and how it ended.
pub(crate) fn lines(found: &probe::Probe) -> Vec<(&'static str, String)> {
    let mut lines: Vec<(&'static str, String)> = found
        .seen
        .iter()
        .map(|(way, (bare, confined))| {
            let line = match (bare, confined) {
                (true, false) => "held; the control got out",
                (_, true) => "got out",
                (false, false) => "inconclusive: the control did not get out",
            };
            (way.name(), line.to_owned())
        })
        .collect();
    if let Err(why) = &found.rung {
        lines.push(("not earned", why.to_string()));
    }
    lines
}
