//! The folder of a run: facts are written as they come, the verdict last, so that a folder with a
//! verdict is a folder of a run that ended.

use harness::verdict::{RECORDS, VERDICT};
use reports::record::{Record, WriteError, Writer};
use reports::verdict::Verdict;
use reports::{json, junit};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The file of the JUnit report.
const JUNIT: &str = "junit.xml";

/// A folder that is being written.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    records: Writer<File>,
}

/// Why a folder cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FolderError {
    /// A file or the folder itself.
    #[error("output folder: {call} {path:?}: {source}")]
    File { call: &'static str, path: PathBuf, source: io::Error },
    /// A record.
    #[error("output folder {path:?}: {source}")]
    Record { path: PathBuf, source: WriteError },
    /// The JUnit report.
    #[error("output folder: {0}")]
    Junit(#[from] junit::JunitError),
}

impl Folder {
    /// Makes the folder and its empty files, and takes an old verdict away.
    ///
    /// # Errors
    /// When anything of it cannot be written.
    pub(crate) fn create(path: &Path) -> Result<Self, FolderError> {
        let failed = |call, path: &Path| {
            let path = path.to_owned();
            move |source| FolderError::File { call, path, source }
        };
        fs::create_dir_all(path).map_err(failed("create", path))?;
        for name in [VERDICT, JUNIT] {
            let file = path.join(name);
            match fs::remove_file(&file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(failed("remove", &file)(error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        let records = path.join(RECORDS);
        let file = File::create(&records).map_err(failed("create", &records))?;
        Ok(Self { path: path.to_owned(), records: Writer::new(file) })
    }

    /// Writes one record.
    ///
    /// # Errors
    /// When it cannot be written whole.
    pub(crate) fn append(&mut self, record: &Record) -> Result<(), FolderError> {
        self.records
            .append(record)
            .map_err(|source| FolderError::Record { path: self.path.join(RECORDS), source })
    }

    /// Writes the reports, the verdict last.
    ///
    /// # Errors
    /// When one cannot be written.
    pub(crate) fn finish(self, verdict: &Verdict, records: &[Record]) -> Result<(), FolderError> {
        let put = |name: &str, bytes: &[u8]| {
            let path = self.path.join(name);
            fs::write(&path, bytes).map_err(|source| FolderError::File {
                call: "write",
                path,
                source,
            })
        };
        put(JUNIT, &junit::render(verdict, records)?)?;
        put(VERDICT, &json::render(verdict))
    }
}
