//! The steps of a build, as a file states them, and the units that come of them.

use crate::command::grants::limits;
use backends::grants::Grants;
use backends::policy::Bound;
use backends::toml_error;
use backends::unit::Unit;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What stands for the folder of the build file in its commands and paths.
const FOLDER: &str = "{folder}";

/// Why a file states no build.
#[derive(Debug, thiserror::Error)]
pub(super) enum StepsError {
    #[error("{call} {path:?}: {source}")]
    Read { call: &'static str, path: PathBuf, source: io::Error },
    #[error("{path:?}: {}", toml_error(source))]
    Toml { path: PathBuf, source: toml::de::Error },
    #[error("{path:?}: {source}")]
    Json { path: PathBuf, source: serde_json::Error },
    #[error("{path:?} lies in a folder whose name is not UTF-8")]
    Folder { path: PathBuf },
    #[error("{path:?} states no step")]
    Nothing { path: PathBuf },
    #[error("step {name:?} has no command")]
    Command { name: String },
    #[error("two steps are named {0:?}")]
    Twice(String),
    #[error("step {name:?}: a time-out of {seconds} seconds")]
    TimeOut { name: String, seconds: f64 },
}

/// A step that is ready to be run.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) name: String,
    pub(super) unit: Unit,
}

/// A TOML file: `[[step]]` for each step.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    step: Vec<Stated>,
}

/// A step as it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Stated {
    /// What it is called in reports; its command's name and place if it has none.
    name: Option<String>,
    command: Vec<String>,
    #[serde(default)]
    grants: StatedGrants,
    /// Seconds of wall-clock time.
    timeout: Option<f64>,
    /// Bytes of address space.
    memory: Option<u64>,
    /// Bytes that its run directory may take.
    disk: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct StatedGrants {
    read: Vec<String>,
    write: Vec<String>,
    clock: bool,
    randomness: bool,
    network: BTreeSet<String>,
    subprocess: bool,
    browser: bool,
    display: bool,
    accelerator: bool,
    key_value_store: bool,
    shared_files: bool,
}

impl Default for StatedGrants {
    fn default() -> Self {
        let plain = Grants::default();
        Self {
            read: Vec::new(),
            write: Vec::new(),
            clock: plain.clock,
            randomness: plain.randomness,
            network: plain.network,
            subprocess: plain.subprocess,
            browser: plain.browser,
            display: plain.display,
            accelerator: plain.accelerator,
            key_value_store: plain.key_value_store,
            shared_files: plain.shared_files,
        }
    }
}

/// Reads the steps: JSON if the file's name ends in `.json`, otherwise TOML.
pub(super) fn read(path: &Path, output: Bound) -> Result<Vec<Step>, StepsError> {
    let failed = |call| move |source| StepsError::Read { call, path: path.to_owned(), source };
    let real = path.canonicalize().map_err(failed("realpath"))?;
    let text = std::fs::read_to_string(&real).map_err(failed("read"))?;
    let folder = real.parent().and_then(Path::to_str);
    let folder = folder.ok_or_else(|| StepsError::Folder { path: real.clone() })?;
    let stated = if path.extension().is_some_and(|extension| extension == "json") {
        serde_json::from_str(&text)
            .map_err(|source| StepsError::Json { path: path.to_owned(), source })?
    } else {
        let file: Result<File, _> = toml::from_str(&text);
        file.map_err(|source| StepsError::Toml { path: path.to_owned(), source })?.step
    };
    let mut steps: Vec<Step> = Vec::new();
    for (index, stated) in stated.into_iter().enumerate() {
        let step = stated.step(index + 1, folder, output)?;
        if steps.iter().any(|known| known.name == step.name) {
            return Err(StepsError::Twice(step.name));
        }
        steps.push(step);
    }
    if steps.is_empty() { Err(StepsError::Nothing { path: path.to_owned() }) } else { Ok(steps) }
}

impl Stated {
    fn step(self, number: usize, folder: &str, output: Bound) -> Result<Step, StepsError> {
        let here = |text: &String| text.replace(FOLDER, folder);
        let mut command = self.command.iter().map(here);
        let program = command.next();
        let name = self.name.unwrap_or_else(|| {
            let program = program.as_deref().map(Path::new).and_then(Path::file_name);
            format!("{number} {}", program.unwrap_or_default().to_string_lossy())
        });
        let Some(program) = program else { return Err(StepsError::Command { name }) };
        let wall_clock = self.timeout.map(|seconds| {
            let time = std::time::Duration::try_from_secs_f64(seconds).ok();
            let milliseconds = time.and_then(|time| u64::try_from(time.as_millis()).ok());
            let milliseconds = milliseconds.filter(|milliseconds| *milliseconds > 0);
            milliseconds.ok_or_else(|| StepsError::TimeOut { name: name.clone(), seconds })
        });
        let limits = limits(wall_clock.transpose()?, self.memory, self.disk, output);
        let arguments = command.map(OsString::from).collect();
        let unit =
            Unit { program: program.into(), arguments, grants: self.grants.of(here), limits };
        Ok(Step { name, unit })
    }
}

impl StatedGrants {
    fn of(self, here: impl Fn(&String) -> String) -> Grants {
        let grants = Grants {
            storage: Vec::new(),
            clock: self.clock,
            randomness: self.randomness,
            network: self.network,
            subprocess: self.subprocess,
            browser: self.browser,
            display: self.display,
            accelerator: self.accelerator,
            key_value_store: self.key_value_store,
            shared_files: self.shared_files,
        };
        let grants = self.read.iter().map(&here).fold(grants, Grants::read);
        self.write.iter().map(&here).fold(grants, Grants::write)
    }
}
