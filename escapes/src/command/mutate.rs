//! `escapology mutate`: takes every rule of the policy away, one at a time, and looks who notices.

use super::{out, say};
use clap::Args;
use harness::escape::Escape;
use harness::mutate::{Gate, GateError, Part};
use harness::setting::{Setting, SettingError};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reports::exit::Exit;
use reports::mutation::{Matrix, junit, page, terminal};
use reports::record::Runtime;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Mutate {
    /// Only mutants of this rule, such as landlock/read-file, or of this layer, such as hook/;
    /// may be repeated
    #[arg(long = "rule", value_name = "RULE|LAYER/")]
    rules: Vec<String>,
    /// Only mutants of the rules that this patch touches; - is standard input
    #[arg(long, value_name = "PATCH", conflicts_with = "rules")]
    in_diff: Option<PathBuf>,
    /// Only the K-th of N equal parts, from 1/N to N/N
    #[arg(long, value_name = "K/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// Find for each escape whose id holds this text a smallest set of rules that hold it together,
    /// which are those that it witnesses, and try no mutant
    #[arg(long, value_name = "FILTER", conflicts_with_all = ["rules", "in_diff", "shard", "out"])]
    witnesses: Option<String>,
    /// Write matrix.json, matrix.md and junit.xml to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Why there is no matrix.
#[derive(Debug, thiserror::Error)]
enum MutateError {
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error(transparent)]
    Gate(#[from] GateError),
    #[error("the patch {path:?}: {call}: {source}")]
    Patch { path: PathBuf, call: &'static str, source: io::Error },
    #[error("output folder: {call} {path:?}: {source}")]
    Folder { call: &'static str, path: PathBuf, source: io::Error },
    #[error("output folder: {0}")]
    Junit(#[from] reports::junit::JunitError),
    #[error("the matrix as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl MutateError {
    fn exit(&self) -> Exit {
        match self {
            Self::Gate(GateError::Nothing(_)) | Self::Patch { .. } => Exit::Usage,
            Self::Setting(_)
            | Self::Gate(_)
            | Self::Folder { .. }
            | Self::Junit(_)
            | Self::Json(_) => Exit::Inconclusive,
        }
    }
}

impl Mutate {
    pub(crate) fn run(self) -> ExitCode {
        match self.mutate() {
            Ok(code) => code,
            Err(error) => {
                say(&error.to_string());
                ExitCode::from(error.exit().code())
            }
        }
    }

    fn mutate(self) -> Result<ExitCode, MutateError> {
        let mut part = Part { rules: self.rules, shard: self.shard };
        if let Some(path) = &self.in_diff {
            let touched = touched(path)?;
            if touched.is_empty() {
                say("the patch touches no rule and no witness: nothing to try");
                return Ok(ExitCode::SUCCESS);
            }
            part.rules = touched.into_iter().collect();
        }
        if let Some(folder) = &self.out {
            fs::create_dir_all(folder).map_err(failed("create", folder))?;
        }
        let setting = Setting::find(&[Runtime::Native, Runtime::Python])?;
        let swept = fixtures::sweep_stale(&setting.base);
        swept.map_err(|source| SettingError::Sweep { path: setting.base.clone(), source })?;
        let (escapes, useful) = (escapes::all(), escapes::useful::all());
        let gate = Gate::new(&setting, &escapes, &useful, escapes::mutation::REASONS, part)?;
        if let Some(filter) = &self.witnesses {
            return Ok(find_witnesses(&gate, &escapes, filter));
        }
        let bar = progress(gate.length());
        let matrix = gate.run(&|| bar.inc(1));
        bar.finish_and_clear();
        if let Some(folder) = &self.out {
            write(folder, &matrix)?;
        }
        let printed = out(&terminal::render(&matrix));
        let code = ExitCode::from(matrix.exit().code());
        Ok(if printed == ExitCode::SUCCESS { code } else { printed })
    }
}

/// Prints the rules that hold each escape, those of the kernel and those of the hook.
fn find_witnesses(gate: &Gate<'_>, escapes: &[&Escape], filter: &str) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for escape in escapes.iter().filter(|escape| escape.id.contains(filter)) {
        let found = [false, true].into_iter().filter_map(|hook| gate.holders(escape, hook));
        let rules: Vec<String> = found.flatten().collect();
        let named: BTreeSet<&str> = escape.witnesses.iter().copied().collect();
        let same = rules.iter().map(String::as_str).collect::<BTreeSet<_>>() == named;
        let mark = if same { "" } else { " (it names others)" };
        if out(&format!("{}: {}{mark}\n", escape.id, rules.join(" "))) != ExitCode::SUCCESS {
            code = ExitCode::from(Exit::Inconclusive.code());
        }
    }
    code
}

/// The rules that a patch touches.
fn touched(path: &Path) -> Result<BTreeSet<String>, MutateError> {
    let patch = if path == Path::new("-") {
        io::read_to_string(io::stdin().lock())
    } else {
        fs::read_to_string(path)
    };
    let patch = patch.map_err(|source| MutateError::Patch {
        path: path.to_owned(),
        call: "read",
        source,
    })?;
    Ok(escapes::mutation::touched(&patch))
}

fn write(folder: &Path, matrix: &Matrix) -> Result<(), MutateError> {
    let json = matrix.json()?;
    let files = [
        ("matrix.json", json.into_bytes()),
        ("matrix.md", page::render(matrix).into_bytes()),
        ("junit.xml", junit::render(matrix)?),
    ];
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(failed("write", &path))?;
    }
    Ok(())
}

fn failed(call: &'static str, path: &Path) -> impl FnOnce(io::Error) -> MutateError {
    let path = path.to_owned();
    move |source| MutateError::Folder { call, path, source }
}

/// A bar on a terminal, nothing elsewhere.
fn progress(length: usize) -> ProgressBar {
    let target = ProgressDrawTarget::stderr();
    let bar = ProgressBar::with_draw_target(Some(length as u64), target);
    match ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_template) => bar,
    }
}

/// `K/N` with K from 1 to N.
fn shard(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((k, n)) if 1 <= k && k <= n => Ok((k, n)),
        Some(_) | None => Err(format!("{text:?} is no part: 1/3 is the first of three")),
    }
}
