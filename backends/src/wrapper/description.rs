//! A wrapper file: what it may say of a third-party sandbox, and how it is read.

use crate::toml_error;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A wrapper file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Description {
    /// The backend's name.
    pub(super) name: String,
    /// The mechanism that it claims.
    pub(super) mechanism: String,
    /// The sandbox's program and first arguments. `{run}` stands for the run directory.
    pub(super) start: Vec<String>,
    /// Arguments for each place that may be read; `{path}` stands for it.
    #[serde(default)]
    pub(super) each_read: Vec<String>,
    /// Arguments for each place that may be written, the run directory aside.
    #[serde(default)]
    pub(super) each_write: Vec<String>,
    /// Arguments for each environment variable; `{name}` and `{value}` stand for it.
    #[serde(default)]
    pub(super) each_variable: Vec<String>,
    /// The last arguments before the program.
    #[serde(default)]
    pub(super) end: Vec<String>,
    /// The errno numbers by which it denies.
    #[serde(default)]
    pub(super) errnos: BTreeSet<i32>,
    /// The signals by which it stops a program.
    #[serde(default)]
    pub(super) signals: BTreeSet<i32>,
    /// Whether an act may be stopped although its calls succeed.
    #[serde(default)]
    pub(super) silent: bool,
    /// Whether the limits of the policy are kept under it.
    #[serde(default)]
    pub(super) keeps_limits: bool,
    /// The escapes that it does not hold.
    #[serde(default)]
    pub(super) gaps: Vec<GapEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GapEntry {
    pub(super) escapes: String,
    pub(super) reason: String,
}

/// Why a wrapper file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WrapperError {
    /// The file cannot be read.
    #[error("wrapper file {path:?}: read: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The call's error.
        source: std::io::Error,
    },
    /// The file is not a wrapper description.
    #[error("wrapper file {path:?}: {}", toml_error(source))]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// The file says nothing where it must.
    #[error("wrapper file {path:?}: {what}")]
    Empty {
        /// The file.
        path: PathBuf,
        /// What is missing.
        what: &'static str,
    },
}

impl Description {
    /// Reads a text of TOML. `path` is where it stands, for errors.
    pub(super) fn of(text: &str, path: &Path) -> Result<Self, WrapperError> {
        let description: Self = toml::from_str(text).map_err(|source| WrapperError::Parse {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        let empty = |what| WrapperError::Empty { path: path.to_owned(), what };
        if description.name.is_empty() {
            return Err(empty("`name` is empty"));
        }
        if description.start.is_empty() {
            return Err(empty("`start` names no program"));
        }
        Ok(description)
    }
}
