//! Checks a folder that a run left: the verdict must be what the records entail, byte for byte.
//!
//! This proves that the verdict follows from the records, not that the records are true.

use super::difference::{Difference, difference};
use super::{ConcludeError, conclude};
use reports::record::{LINE_LIMIT, ReadError, read};
use reports::text;
use reports::verdict::Verdict;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The name of the file that holds the records.
pub const RECORDS: &str = "records.jsonl";

/// The name of the file that holds the verdict.
pub const VERDICT: &str = "verdict.json";

/// Why a folder is refused.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A file cannot be read.
    #[error("verify: read {path:?}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// The error of the call.
        source: io::Error,
    },
    /// The verdict is larger than any verdict.
    #[error("verify: {path:?} is larger than {LINE_LIMIT} bytes")]
    TooLarge {
        /// Which file.
        path: PathBuf,
    },
    /// The records cannot be read.
    #[error("verify: {0}")]
    Records(#[from] ReadError),
    /// The records do not fit together.
    #[error("verify: {0}")]
    Conclude(#[from] ConcludeError),
    /// The run was on another operating system, whose numbers have other names.
    #[error("verify: the run was on {system:?}: verify it on such a system")]
    OtherSystem {
        /// Which.
        system: String,
    },
    /// The verdict is not JSON.
    #[error("verify: the verdict is not JSON: {}", text::line(&.0.to_string()))]
    NoVerdict(#[from] serde_json::Error),
    /// The verdict does not follow from the records.
    #[error("verify: at {place} the verdict says {stored} and the records entail {entailed}")]
    DoesNotFollow {
        /// Where in the verdict, such as `backends[0].tier`.
        place: String,
        /// What the verdict says there.
        stored: String,
        /// What the records entail there.
        entailed: String,
    },
    /// The verdict says what follows, in other bytes than the canonical ones.
    #[error("verify: the verdict is not in canonical form")]
    Form,
}

/// Judges the records of a folder again and demands that its verdict has exactly the bytes that
/// follow.
///
/// # Errors
/// What does not follow, or what cannot be read.
pub fn verify(folder: &Path) -> Result<Verdict, VerifyError> {
    let records = read(BufReader::new(open(&folder.join(RECORDS))?))?;
    let verdict = conclude(&records)?;
    if verdict.host.system != std::env::consts::OS {
        return Err(VerifyError::OtherSystem { system: verdict.host.system });
    }
    let stored = contents(&folder.join(VERDICT), LINE_LIMIT)?;
    let entailed = verdict.canonical();
    if stored == entailed {
        return Ok(verdict);
    }
    match difference(&serde_json::from_slice(&stored)?, &serde_json::from_slice(&entailed)?) {
        Some(Difference { place, first: stored, second: entailed }) => {
            Err(VerifyError::DoesNotFollow { place, stored, entailed })
        }
        None => Err(VerifyError::Form),
    }
}

fn open(path: &Path) -> Result<File, VerifyError> {
    File::open(path).map_err(|source| VerifyError::File { path: path.to_owned(), source })
}

/// What a file holds, if that is at most so many bytes.
fn contents(path: &Path, most: u64) -> Result<Vec<u8>, VerifyError> {
    let mut bytes = Vec::new();
    open(path)?
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|source| VerifyError::File { path: path.to_owned(), source })?;
    if bytes.len() as u64 > most {
        return Err(VerifyError::TooLarge { path: path.to_owned() });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
