//! What a program needs before it can start: found by reading it, never by running it.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::elf::{Elf, Linkage};
use super::error::DiscoverError;
use super::files;
use super::libraries::Closure;
use super::loader::Loader;
use super::script::{self, Line};
use super::stdlib;

/// Data that every C library reads of its own accord: time zones (a denial shows as a silent UTC)
/// and locales (as a silent `C`). They are granted where they exist; no program needs them to start.
const C_LIBRARY_DATA: [&str; 3] = ["/etc/localtime", "/usr/lib/locale", "/usr/share/zoneinfo"];

/// The configuration of OpenSSL, in the places of Debian and of Fedora. It is granted if everybody may
/// read it: node stops at once when it exists and may not be read.
const OPENSSL_CONFIGURATION: [&str; 2] = ["/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf"];

/// How a program is to be started, and what it must reach before it does anything of its own.
///
/// All paths but those in the arguments are real: absolute and free of symbolic links, so that a
/// rule on them is a rule on the file. No entry of `read` lies beneath another.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Needs {
    /// The ELF file that is to be executed; for a script that of its interpreter.
    pub image: PathBuf,
    /// The image and its ELF interpreter. The kernel opens both for execution *and* for reading, so
    /// Landlock has to allow `EXECUTE` and `READ_FILE` on each (`do_open_execat` in fs/exec.c).
    pub execute: BTreeSet<PathBuf>,
    /// Files, and directories as a whole, that have to be readable: system library directories,
    /// private libraries one by one, the loader's configuration, the script, a standard library, and
    /// the data of the C library.
    pub read: BTreeSet<PathBuf>,
    /// `argv[0]`: the absolute path that was asked for, which may be a link, because programs such as
    /// busybox go by it. For a Python interpreter the image: through a link, Python would look for
    /// the `pyvenv.cfg` of a virtual environment, which is not granted.
    pub argument0: OsString,
    /// What comes before the caller's arguments: for a script the arguments of its interpreter line
    /// and the script's absolute path, otherwise nothing.
    pub prefix_arguments: Vec<OsString>,
}

/// Finds out what a program needs, from its bytes alone.
///
/// `path` without a slash is searched in `path_variable` (the value of `PATH`), as is the name in an
/// interpreter line `#!/usr/bin/env NAME`. A script becomes its interpreter with the script as
/// argument, because a confined program has no second exec that could do this.
///
/// # Errors
///
/// [`DiscoverError::NotFound`] if there is no such program; every other variant, except those that
/// only [`python()`](super::python()) gives, if it exists and cannot be started confined.
pub fn program(path: &Path, path_variable: &OsStr) -> Result<Needs, DiscoverError> {
    let path = files::locate(path, path_variable)?;
    let real = files::executable(&path)?;
    match script::line(&real)? {
        Some(line) => script(path, real, line, path_variable),
        None => Ok(Native::with_surroundings(&real)?.into_needs(path, Vec::new())),
    }
}

/// The launch of a script: its interpreter, if that is a native program.
fn script(
    script: PathBuf,
    real: PathBuf,
    line: Line,
    path_variable: &OsStr,
) -> Result<Needs, DiscoverError> {
    let named = line.interpreter.clone();
    let refuse = |source| DiscoverError::Script {
        script: script.clone(),
        interpreter: named.clone(),
        source: Box::new(source),
    };
    let interpreter = files::locate(&line.interpreter, path_variable).map_err(refuse)?;
    let image = files::executable(&interpreter).map_err(refuse)?;
    if script::line(&image).map_err(refuse)?.is_some() {
        return Err(DiscoverError::NestedScript { script, interpreter });
    }
    if stdlib::is_python(&script) && !stdlib::is_python(&image) {
        return Err(DiscoverError::Shim { script, interpreter });
    }
    let mut native = Native::with_surroundings(&image).map_err(refuse)?;
    native.read.insert(real);
    let mut arguments = line.arguments;
    arguments.push(script.into_os_string());
    Ok(native.into_needs(interpreter, arguments))
}

/// A native program while its needs are collected.
#[derive(Debug)]
pub(super) struct Native {
    image: PathBuf,
    execute: BTreeSet<PathBuf>,
    pub(super) read: BTreeSet<PathBuf>,
    /// Absent for a static program, which has no loader.
    closure: Option<Closure>,
    is_python: bool,
}

impl Native {
    /// Collects what the ELF file at a real path needs and what programs of its kind look for: the
    /// configuration of OpenSSL, for a Python interpreter its standard library.
    fn with_surroundings(image: &Path) -> Result<Self, DiscoverError> {
        let mut native = Self::of(image)?;
        let configuration = OPENSSL_CONFIGURATION.iter().filter_map(|path| files::public(path));
        native.read.extend(configuration);
        if let Some(directory) = stdlib::beside(image) {
            native.read.extend(stdlib::site_customization(&directory));
            native.add_standard_library([directory]);
        }
        Ok(native)
    }

    /// Collects what the ELF file at a real path needs.
    pub(super) fn of(image: &Path) -> Result<Self, DiscoverError> {
        let elf = open(image)?;
        let mut native = Self {
            image: image.to_path_buf(),
            execute: BTreeSet::from([image.to_path_buf()]),
            read: C_LIBRARY_DATA.iter().filter_map(|path| files::public(path)).collect(),
            closure: None,
            is_python: false,
        };
        if elf.linkage == Linkage::Dynamic
            && let Some(interpreter) = elf.interpreter.clone()
        {
            native.execute.insert(elf_interpreter(image, &interpreter)?);
            native.closure = Some(Closure::of(image, elf, Loader::named(&interpreter))?);
        }
        Ok(native)
    }

    /// Adds real directories of Python's standard library, the libraries that the extension modules in
    /// them are linked with, and the tables that it reads of the system.
    pub(super) fn add_standard_library(&mut self, directories: impl IntoIterator<Item = PathBuf>) {
        self.is_python = true;
        self.read.extend(stdlib::file_types());
        for directory in directories {
            if let Some(closure) = &mut self.closure {
                stdlib::extension_modules(&directory).iter().for_each(|m| closure.add_optional(m));
            }
            self.read.insert(directory);
        }
    }

    /// The needs of a launch through `path`.
    pub(super) fn into_needs(self, path: PathBuf, prefix_arguments: Vec<OsString>) -> Needs {
        let mut read = self.read;
        read.extend(self.closure.iter().flat_map(Closure::reads));
        let argument0 = if self.is_python { self.image.clone() } else { path };
        Needs {
            image: self.image,
            execute: self.execute,
            read: files::collapse(read),
            argument0: argument0.into_os_string(),
            prefix_arguments,
        }
    }
}

/// The real path of the loader that an image names.
fn elf_interpreter(image: &Path, interpreter: &Path) -> Result<PathBuf, DiscoverError> {
    let real = files::executable(interpreter).map_err(|source| DiscoverError::Loader {
        image: image.to_path_buf(),
        interpreter: interpreter.to_path_buf(),
        source: Box::new(source),
    })?;
    open(&real)?;
    Ok(real)
}

fn open(path: &Path) -> Result<Elf, DiscoverError> {
    Elf::open(path).map_err(|source| DiscoverError::Image { path: path.to_path_buf(), source })
}
