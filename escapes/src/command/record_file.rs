//! The file for the records of a run: where no program of the run can write, or a program could put its own
//! record in its place, or a link by which the record is written somewhere else.

use backends::grants::Grants;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no file for records.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RecordFileError {
    /// A call failed.
    #[error("record {path:?}: {call}: {source}")]
    Call { path: PathBuf, call: &'static str, source: io::Error },
    /// The program could replace it.
    #[error("record {path:?}: it lies where the program may write: choose another place")]
    Granted { path: PathBuf },
}

/// Makes the file, or empties it, if none of the grants gives writing there.
///
/// # Errors
/// When one does, or the file cannot be written.
pub(crate) fn create<'a>(
    path: &Path,
    grants: impl IntoIterator<Item = &'a Grants>,
) -> Result<File, RecordFileError> {
    let failed = |call| move |source| RecordFileError::Call { path: path.to_owned(), call, source };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    let place = folder.canonicalize().map_err(failed("realpath"))?;
    let place = place.join(path.file_name().unwrap_or_default());
    // What stands there already can be a link into a grant.
    let real = path.canonicalize().unwrap_or_else(|_absent| place.clone());
    for grants in grants {
        if grants.gives_writing(&place) || grants.gives_writing(&real) {
            return Err(RecordFileError::Granted { path: path.to_owned() });
        }
    }
    File::create(path).map_err(failed("open"))
}
