//! `escapology search`: escapes that nobody listed.

use super::selection::{self, BackendError, Weakening};
use super::{no_output, out, say};
use backends::backend::Backend;
use backends::none::none;
use clap::Args;
use escapes::search::escape_file::{escape_file, kind_name};
use escapes::search::ground::{Ground, LookError};
use escapes::search::hunt::{Bounds, Found, Hole, HuntError, hunt};
use escapes::search::{ControlError, control};
use harness::rig::Rig;
use harness::setting::{Setting, SettingError};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reports::exit::Exit;
use reports::record::Runtime;
use serde_json::{Value, json};
use std::fmt::Write;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::process::ExitCode;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// A backend by name, or a wrapper file; may be repeated
    #[arg(long = "backend", value_name = "NAME|FILE")]
    backends: Vec<String>,
    /// Search `native` with one protection taken away, too; may be repeated
    #[arg(long, value_name = "PROTECTION", value_parser = super::certify::weakening)]
    without: Vec<Weakening>,
    /// How many programs each backend is tried with
    #[arg(long, value_name = "N", default_value = "1000")]
    cases: u64,
    /// Makes the same programs again; it is chosen and told where none is given
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Look into nothing more after so many seconds for each backend
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Why there is no search.
#[derive(Debug, thiserror::Error)]
enum SearchError {
    #[error(transparent)]
    Backend(#[from] BackendError),
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("--cases is 0: nothing would be tried")]
    Nothing,
    #[error("the control cannot be prepared: {0}")]
    Bare(String),
    #[error("look for decoys: {0}")]
    Look(#[from] LookError),
    #[error(transparent)]
    Control(#[from] ControlError),
}

impl SearchError {
    fn exit(&self) -> Exit {
        match self {
            Self::Backend(_) | Self::Nothing => Exit::Usage,
            Self::Setting(_) | Self::Bare(_) | Self::Look(_) | Self::Control(_) => {
                Exit::Inconclusive
            }
        }
    }
}

/// What came of one backend.
struct Searched {
    backend: String,
    /// What was found, or why nothing can be said.
    found: Result<Found, String>,
}

impl Search {
    pub(crate) fn run(self) -> ExitCode {
        if let Some(code) = no_output() {
            return code;
        }
        self.search().unwrap_or_else(|error| {
            say(&error.to_string());
            ExitCode::from(error.exit().code())
        })
    }

    fn search(&self) -> Result<ExitCode, SearchError> {
        if self.cases == 0 {
            return Err(SearchError::Nothing);
        }
        let backends = self.backends()?;
        let seed = self.seed.unwrap_or_else(chosen_seed);
        let bounds = Bounds { seed, cases: self.cases, time: self.time.map(Duration::from_secs) };
        let setting = Setting::find(&[Runtime::Native])?;
        fixtures::sweep_stale(&setting.base)
            .map_err(|source| SettingError::Sweep { path: setting.base.clone(), source })?;
        let bare = Rig::new(Box::new(none()), &setting, &[Runtime::Native]);
        let confinement = bare
            .confinement(Runtime::Native)
            .ok_or_else(|| SearchError::Bare(bare.facts.unavailable.clone().unwrap_or_default()))?;
        let ground = Ground::new(&setting, confinement)?;
        for lack in &ground.lacks {
            say(&format!("this host has no place for a decoy: {lack}"));
        }
        control(&ground)?;
        let searched: Vec<Searched> =
            backends.into_iter().map(|backend| one(backend, &setting, bounds)).collect();
        let text = if self.json { as_json(seed, &searched) } else { as_text(seed, &searched) };
        let printed = out(&text);
        let code = ExitCode::from(exit(&searched).code());
        Ok(if printed == ExitCode::SUCCESS { code } else { printed })
    }

    fn backends(&self) -> Result<Vec<Box<dyn Backend>>, BackendError> {
        let nobody = self.backends.is_empty() && self.without.is_empty();
        let names = self.backends.iter().map(String::as_str).chain(nobody.then_some("native"));
        let backends: Result<Vec<_>, _> = names.map(selection::backend).collect();
        let weakened = self.without.iter().map(|one| selection::weakened(*one, false));
        Ok(backends?.into_iter().chain(weakened).collect())
    }
}

/// Searches one backend.
fn one(backend: Box<dyn Backend>, setting: &Setting, bounds: Bounds) -> Searched {
    let rig = Rig::new(backend, setting, &[Runtime::Native]);
    let found = match rig.confinement(Runtime::Native) {
        None => Err(rig.facts.unavailable.clone().unwrap_or_default()),
        Some(confinement) => {
            let progress = progress(bounds.cases);
            let found = Ground::new(setting, confinement)
                .map_err(|source| HuntError::Look { case: 0, source })
                .and_then(|ground| {
                    hunt(&ground, bounds, |found| progress.set_position(found.cases))
                });
            progress.finish_and_clear();
            found.map_err(|error| error.to_string())
        }
    };
    Searched { backend: rig.name().to_owned(), found }
}

fn exit(searched: &[Searched]) -> Exit {
    let holes = |one: &Searched| one.found.as_ref().is_ok_and(|found| !found.holes.is_empty());
    if searched.iter().any(holes) {
        Exit::NotEarned
    } else if searched.iter().any(|one| one.found.is_err()) {
        Exit::Inconclusive
    } else {
        Exit::Earned
    }
}

/// The library's hashes differ from run to run; this one is short enough to be typed again.
fn chosen_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000
}

/// A bar on a terminal, nothing elsewhere.
fn progress(cases: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(cases), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_template) => bar,
    }
}

fn as_text(seed: u64, searched: &[Searched]) -> String {
    let mut text = format!("seed {seed}\n");
    for Searched { backend, found } in searched {
        let line = match found {
            Err(reason) => format!("{backend}: inconclusive: {reason}\n"),
            Ok(found) => {
                let lines: String = found.holes.iter().map(line).collect();
                format!("{backend}: {}\n{lines}", summary(found))
            }
        };
        text.push_str(&line);
    }
    for Searched { backend, found } in searched {
        for hole in found.iter().flat_map(|found| &found.holes) {
            let _to_a_string = write!(text, "\n{}", escape_file(hole, backend));
        }
    }
    text
}

fn summary(found: &Found) -> String {
    format!(
        "{} holes; {} programs, {} operations of which {} succeeded, {} ended their process, {} worlds, {:.1} s",
        found.holes.len(),
        found.cases,
        found.operations,
        found.succeeded,
        found.ended,
        found.worlds,
        found.time.as_secs_f64(),
    )
}

fn line(hole: &Hole) -> String {
    let once = if hole.repeated { "" } else { "  (seen once only)" };
    format!(
        "  {:<15} {:<40} program {:<6} {:>6.1} s{once}\n",
        kind_name(hole.kind),
        hole.label,
        hole.case,
        hole.after.as_secs_f64(),
    )
}

fn as_json(seed: u64, searched: &[Searched]) -> String {
    let backends: Vec<Value> = searched.iter().map(backend_as_json).collect();
    let object = json!({ "schema": "escapology/search/v1", "seed": seed, "backends": backends });
    format!("{object}\n")
}

fn backend_as_json(searched: &Searched) -> Value {
    let Searched { backend, found } = searched;
    let found = match found {
        Err(reason) => return json!({ "name": backend, "inconclusive": reason }),
        Ok(found) => found,
    };
    let holes = found.holes.iter().map(|hole| {
        json!({
            "kind": kind_name(hole.kind),
            "operation": hole.label,
            "program": hole.program.to_string(),
            "seen": hole.detail,
            "case": hole.case,
            "seconds": hole.after.as_secs_f64(),
            "repeated": hole.repeated,
            "escape": escape_file(hole, backend),
        })
    });
    json!({
        "name": backend,
        "programs": found.cases,
        "operations": found.operations,
        "succeeded": found.succeeded,
        "ended": found.ended,
        "worlds": found.worlds,
        "seconds": found.time.as_secs_f64(),
        "holes": holes.collect::<Vec<_>>(),
    })
}
