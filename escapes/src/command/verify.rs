//! `escapology verify`: whether a folder's records entail its verdict, and whether the sealed records of
//! a file say of themselves what their parts say.

use super::{out, say};
use backends::seal;
use clap::Args;
use reports::exit::Exit;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The folder that `certify --out` wrote, or a file of sealed records, one a line
    #[arg(value_name = "DIR|FILE")]
    path: PathBuf,
}

/// Why a file of sealed records is refused.
#[derive(Debug, thiserror::Error)]
enum SealError {
    #[error("read {path:?}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path:?} holds no record")]
    Empty { path: PathBuf },
    #[error("record {number}: {source}")]
    Record { number: usize, source: seal::VerifyError },
}

impl Verify {
    pub(crate) fn run(self) -> ExitCode {
        let lines = if self.path.is_file() {
            sealed(&self.path).map_err(|error| error.to_string())
        } else {
            verdict(&self.path).map_err(|error| error.to_string())
        };
        match lines {
            Ok(lines) => out(&lines),
            Err(error) => {
                say(&error);
                ExitCode::from(Exit::NotEarned.code())
            }
        }
    }
}

fn verdict(folder: &Path) -> Result<String, harness::verdict::VerifyError> {
    let verdict = harness::verdict::verify(folder)?;
    let line = |backend: &reports::verdict::BackendVerdict| {
        let tier = backend.tier.map_or("not judged".to_owned(), |tier| tier.to_string());
        format!("{}: {tier}, as the records entail\n", backend.name)
    };
    Ok(verdict.backends.iter().map(line).collect())
}

fn sealed(path: &Path) -> Result<String, SealError> {
    let bytes =
        std::fs::read(path).map_err(|source| SealError::Read { path: path.to_owned(), source })?;
    let mut lines = String::new();
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let verified =
            seal::verify(line).map_err(|source| SealError::Record { number: index + 1, source })?;
        lines += &match (verified.mechanism, verified.commitment) {
            (Some(mechanism), Some(commitment)) => format!(
                "{} ({mechanism}), {commitment} is the commitment to the policy in the record\n",
                verified.tier
            ),
            (None, _) | (_, None) => format!("{}, nothing confined it\n", verified.tier),
        };
    }
    if lines.is_empty() { Err(SealError::Empty { path: path.to_owned() }) } else { Ok(lines) }
}
