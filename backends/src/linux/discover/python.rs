//! What a Python interpreter needs: found by asking it, once for each state of its file.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::ask::{Answer, LIMITS, Limits, ask};
use super::cache::{Cache, Stamp};
use super::error::DiscoverError;
use super::files;
use super::program::{Native, Needs};
use super::stdlib::LANDMARK;

/// From a shim to its interpreter, from there to the base of a virtual environment made by copying,
/// and to the file behind that: more than this is a circle.
const HOPS: usize = 4;

static INTERPRETERS: Cache<Python> = Cache::new();

/// A Python interpreter and what it must reach.
///
/// Launch it as `executable -I -S ...`. The standard library is then all that can be imported:
/// site-packages, those of a virtual environment included, need a grant of the caller's and an entry
/// in `sys.path`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Python {
    /// The real path of the base interpreter: neither a shim, nor a link, nor part of a virtual
    /// environment, whose `pyvenv.cfg` is not granted.
    pub executable: PathBuf,
    /// Major, minor and micro version.
    pub version: (u8, u8, u8),
    /// Its launch. `read` holds, beside what a native program needs, the directories of the standard
    /// library and the private libraries of its extension modules.
    pub needs: Needs,
}

/// Resolves an interpreter to its base interpreter and finds out what that needs.
///
/// A bare name is searched in `path_variable`. **What is found is run, unconfined**, and with it the
/// shim that it may be: only for interpreters that the caller trusts as much as itself. It has ten
/// seconds and a few kilobytes to answer in. Answers are kept for the life of the process, under the
/// interpreter's real path, device, inode, modification time and size; shims, which may choose
/// differently each time, are asked each time.
///
/// # Errors
///
/// As for [`program`](super::program), and [`DiscoverError::Ask`], [`DiscoverError::Base`],
/// [`DiscoverError::NoBase`] and [`DiscoverError::NoStandardLibrary`].
pub fn python(path_or_name: &Path, path_variable: &OsStr) -> Result<Python, DiscoverError> {
    resolve(path_or_name, path_variable, LIMITS, &INTERPRETERS)
}

/// [`python`] with its limits and its memory as parameters.
pub(super) fn resolve(
    path_or_name: &Path,
    path_variable: &OsStr,
    limits: Limits,
    cache: &Cache<Python>,
) -> Result<Python, DiscoverError> {
    let first = files::locate(path_or_name, path_variable)?;
    let mut interpreter = first.clone();
    for _ in 0..HOPS {
        let real = files::executable(&interpreter)?;
        let stamp = Stamp::of(&real).map_err(files::inspect("stat", &real))?;
        if let Some(python) = cache.get(&stamp) {
            return Ok(python);
        }
        let answer = ask(&interpreter, path_variable, limits)
            .map_err(|source| DiscoverError::Ask { interpreter: interpreter.clone(), source })?;
        let base = base_interpreter(&answer).map_err(|source| DiscoverError::Base {
            interpreter: interpreter.clone(),
            source: Box::new(source),
        })?;
        if base == real {
            let python = confirmed(base, &answer)?;
            cache.insert(stamp, python.clone());
            return Ok(python);
        }
        interpreter = base;
    }
    Err(DiscoverError::NoBase { interpreter: first })
}

/// The real file of the interpreter that answered, or, in a virtual environment that holds a copy of
/// it, of the one that was copied.
fn base_interpreter(answer: &Answer) -> Result<PathBuf, DiscoverError> {
    let real = files::executable(&answer.executable)?;
    let beside = real.parent().into_iter().flat_map(|folder| folder.ancestors().take(2));
    if beside.map(|folder| folder.join("pyvenv.cfg")).any(|file| file.exists()) {
        let (major, minor, _) = answer.version;
        let name = format!("bin/python{major}.{minor}");
        return files::executable(&answer.prefixes[1].join(name));
    }
    Ok(real)
}

/// A base interpreter whose answer about its standard library holds.
fn confirmed(executable: PathBuf, answer: &Answer) -> Result<Python, DiscoverError> {
    let inside = |path: &&PathBuf| {
        answer.prefixes.iter().any(|prefix| path.starts_with(prefix) && *path != prefix)
    };
    // Python names directories and an archive that need not exist.
    let existing = answer.search.iter().filter(|path| path.exists());
    let library: Vec<PathBuf> =
        existing.filter(inside).filter_map(|path| fs::canonicalize(path).ok()).collect();
    if !library.iter().any(|directory| directory.join(LANDMARK).is_file()) {
        return Err(DiscoverError::NoStandardLibrary { interpreter: executable });
    }
    let mut native = Native::of(&executable)?;
    native.add_standard_library(library);
    let needs = native.into_needs(executable.clone(), Vec::new());
    Ok(Python { executable, version: answer.version, needs })
}
