//! `escapology certify`: the whole run, its folder, its table, its exit code.

use super::folder::{Folder, FolderError};
use super::selection::{self, BackendError, LAYERS, Weakening, native_of};
use super::{no_output, out, say};
use backends::backend::Backend;
use backends::tier::Tier;
use clap::Args;
use harness::certify::Run;
use harness::plan::{self, Selection};
use harness::rig::Rig;
use harness::setting::{Setting, SettingError};
use harness::verdict::{ConcludeError, conclude};
use harness::{host, useful_run};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reports::exit::{Exit, exit};
use reports::record::{Plan, Record, Runtime};
use reports::terminal::{self, Colour};
use reports::verdict::Verdict;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Certify {
    /// A backend by name, or a wrapper file; may be repeated
    #[arg(long = "backend", value_name = "NAME|FILE", default_value = "native")]
    backends: Vec<String>,
    /// Which runtimes carry the escapes
    #[arg(long = "runtime", value_delimiter = ',', value_parser = selection::runtime, default_value = "native,python")]
    runtimes: Vec<Runtime>,
    /// The rung that every backend must earn, S0 or S1: anything less is exit code 1
    #[arg(long, value_name = "TIER", conflicts_with = "filter")]
    expect: Option<Tier>,
    /// Write records.jsonl, verdict.json and junit.xml to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Take one protection of `native` away, to see that the suite notices: landlock, seccomp,
    /// descriptors, environment, capabilities, execute-once, limits
    #[arg(long, value_name = "PROTECTION", value_parser = weakening)]
    without: Option<Weakening>,
    /// Run each layer alone as well, and say of each escape which layers stop it by themselves
    #[arg(long, conflicts_with = "without")]
    depth: bool,
    /// Let `native` hide that paths outside exist, too, by a mount namespace: it is `native-hidden`
    #[arg(long)]
    hide_metadata: bool,
    /// Only escapes and useful work whose id holds this text; such a run earns no tier
    #[arg(value_name = "FILTER")]
    filter: Option<String>,
}

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
enum CertifyError {
    #[error(transparent)]
    Backend(#[from] BackendError),
    #[error("backend {0} is asked for twice")]
    Twice(String),
    #[error("--without takes a protection of native away: ask for --backend native alone")]
    Without,
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("nothing selected: no id holds {0:?}")]
    Nothing(String),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("digest of the program under trial: {0}")]
    Digest(std::io::Error),
    #[error("prepare the controls: {0}")]
    Controls(String),
    #[error(transparent)]
    Conclude(#[from] ConcludeError),
}

impl CertifyError {
    fn exit(&self) -> Exit {
        match self {
            Self::Backend(_) | Self::Twice(_) | Self::Without | Self::Nothing(_) => Exit::Usage,
            Self::Setting(_)
            | Self::Folder(_)
            | Self::Digest(_)
            | Self::Controls(_)
            | Self::Conclude(_) => Exit::Inconclusive,
        }
    }
}

impl Certify {
    pub(crate) fn run(self) -> ExitCode {
        // Found before anything runs, as an output folder that cannot be written is.
        if let Some(code) = no_output() {
            return code;
        }
        match self.certify() {
            Ok(code) => code,
            Err(error) => {
                say(&error.to_string());
                ExitCode::from(error.exit().code())
            }
        }
    }

    fn certify(mut self) -> Result<ExitCode, CertifyError> {
        self.runtimes.sort();
        self.runtimes.dedup();
        let backends = self.backends()?;
        // A folder that cannot be written is found before anything runs.
        let mut folder = self.out.as_deref().map(Folder::create).transpose()?;
        let setting = Setting::find(&self.runtimes)?;
        let swept = fixtures::sweep_stale(&setting.base);
        swept.map_err(|source| SettingError::Sweep { path: setting.base.clone(), source })?;
        let rigs: Vec<Rig> = backends
            .into_iter()
            .map(|backend| Rig::new(backend, &setting, &self.runtimes))
            .collect();
        for warning in rigs.iter().filter_map(|rig| rig.facts.warning.as_deref()) {
            say(&format!("warning: {warning}"));
        }
        let escapes = escapes::all();
        let useful = escapes::useful::all();
        let plan = self.plan(&setting, &rigs, &escapes, &useful)?;
        let mut records = vec![Record::Host(host::facts())];
        records.extend(rigs.iter().map(|rig| Record::Backend(rig.facts.clone())));
        records.push(Record::Plan(plan.clone()));
        for record in &records {
            write(&mut folder, record)?;
        }
        let run = Run::new(&setting, &rigs, &escapes, &useful, &self.runtimes)
            .map_err(CertifyError::Controls)?;
        self.fill(&run, &plan, &mut folder, &mut records)?;
        let verdict = conclude(&records)?;
        if let Some(folder) = folder {
            folder.finish(&verdict, &records)?;
        }
        let asked = self.asked(verdict);
        let printed = out(&terminal::render(&asked, &records, colour()));
        let code = exit(&asked, self.expect).code();
        Ok(if printed == ExitCode::SUCCESS { ExitCode::from(code) } else { printed })
    }

    /// The backends that were asked for, each once.
    fn backends(&self) -> Result<Vec<Box<dyn Backend>>, CertifyError> {
        if let Some(weakening) = self.without {
            return match self.backends.as_slice() {
                [name] if name == "native" => {
                    Ok(vec![selection::weakened(weakening, self.hide_metadata)])
                }
                _ => Err(CertifyError::Without),
            };
        }
        let mut backends: Vec<Box<dyn Backend>> = Vec::new();
        let layers = if self.depth { &LAYERS[..] } else { &[] };
        let layers = layers.iter().filter(|layer| !self.backends.iter().any(|name| name == *layer));
        for name in self.backends.iter().map(String::as_str).chain(layers.copied()) {
            let backend = match name {
                "native" => native_of(self.hide_metadata),
                name => selection::backend(name)?,
            };
            if backends.iter().any(|known| known.name() == backend.name()) {
                return Err(CertifyError::Twice(backend.name().to_owned()));
            }
            backends.push(backend);
        }
        Ok(backends)
    }

    /// The verdict on what was asked for: a layer that stands in the map of depth only is not judged.
    fn asked(&self, mut verdict: Verdict) -> Verdict {
        if self.depth {
            let asked = |name: &str| self.backends.iter().any(|asked| asked == name);
            verdict
                .backends
                .retain(|backend| asked(&backend.name) || !LAYERS.contains(&backend.name.as_str()));
        }
        verdict
    }

    fn plan(
        &self,
        setting: &Setting,
        rigs: &[Rig],
        escapes: &[&harness::escape::Escape],
        useful: &[&'static harness::useful::UsefulWork],
    ) -> Result<Plan, CertifyError> {
        let selection = Selection { filter: self.filter.clone() };
        let backends = rigs.iter().map(|rig| &rig.facts);
        let cells = plan::cells(escapes, backends, &self.runtimes, &selection, host::lacks);
        let catalogue = plan::catalogue_digest(escapes, useful);
        let useful = useful_run::cells(useful, rigs, &self.runtimes, &selection);
        let usable = rigs.iter().any(|rig| rig.facts.unavailable.is_none());
        let nothing = cells.is_empty() && useful.is_empty();
        if usable && (nothing || self.filter.as_deref() == Some("")) {
            return Err(CertifyError::Nothing(self.filter.clone().unwrap_or_default()));
        }
        Ok(Plan {
            cells,
            useful: useful.into_iter().map(|(_, cell)| cell).collect(),
            catalogue,
            program: plan::program_digest(&setting.native.image).map_err(CertifyError::Digest)?,
            filtered: self.filter.is_some(),
            runtimes: self.runtimes.iter().copied().collect(),
        })
    }

    /// Fills the plan, with progress, and keeps the first record that could not be written.
    fn fill(
        &self,
        run: &Run<'_>,
        plan: &Plan,
        folder: &mut Option<Folder>,
        records: &mut Vec<Record>,
    ) -> Result<(), CertifyError> {
        let progress = progress(plan);
        let mut failed = None;
        run.fill(plan, |record| {
            progress.inc(1);
            if failed.is_none() {
                failed = write(folder, &record).err();
            }
            records.push(record);
        });
        progress.finish_and_clear();
        failed.map_or(Ok(()), Err)
    }
}

fn write(folder: &mut Option<Folder>, record: &Record) -> Result<(), CertifyError> {
    match folder {
        Some(folder) => Ok(folder.append(record)?),
        None => Ok(()),
    }
}

/// A bar on a terminal, nothing elsewhere.
fn progress(plan: &Plan) -> ProgressBar {
    let length = harness::certify::length(plan);
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_template) => bar,
    }
}

/// Colours for a terminal whose user did not forbid them (no-color.org).
fn colour() -> Colour {
    let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stdout().is_terminal() && !forbidden { Colour::On } else { Colour::Off }
}

pub(super) fn weakening(name: &str) -> Result<Weakening, String> {
    Weakening::ALL.into_iter().find(|weakening| weakening.name() == name).ok_or_else(|| {
        let known: Vec<&str> = Weakening::ALL.iter().map(|weakening| weakening.name()).collect();
        format!("unknown protection {name:?}: {}", known.join(", "))
    })
}
