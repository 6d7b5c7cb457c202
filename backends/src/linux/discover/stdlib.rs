//! Finds Python's standard library without asking Python, by the place where Python looks for it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::files;

/// The file by which Python recognises its standard library (`STDLIB_LANDMARKS` in
/// Modules/getpath.py).
pub(super) const LANDMARK: &str = "os.py";

/// Whether a file bears the name of a Python interpreter: `python`, `python3`, `python3.13`,
/// `python3.13t`, `pypy3`.
pub(super) fn is_python(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_bytes();
    let version = name.strip_prefix(b"python").or_else(|| name.strip_prefix(b"pypy"));
    version.is_some_and(|version| {
        let version = version.strip_suffix(b"t").unwrap_or(version);
        version.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
    })
}

/// The standard library of the interpreter `PREFIX/bin/pythonX.Y`: `PREFIX/lib/pythonX.Y`, or
/// `lib64`. It counts only if it really lies there: a link must not lead the grant elsewhere, for the
/// interpreter and all that is beside it may be hostile.
pub(super) fn beside(image: &Path) -> Option<PathBuf> {
    let name = image.file_name().filter(|_| is_python(image))?;
    let prefix = image.parent()?.parent()?;
    ["lib", "lib64"].iter().find_map(|lib| {
        let directory = prefix.join(lib).join(name);
        let is_real = fs::canonicalize(&directory).is_ok_and(|real| real == directory);
        (is_real && directory.join(LANDMARK).is_file()).then_some(directory)
    })
}

/// The file that `sitecustomize.py` in a standard library is a link to. Debian keeps it in `/etc`, and
/// `site` complains at every start when it may not read it. A link to another name is not followed:
/// whoever made the library would choose what is granted.
pub(super) fn site_customization(directory: &Path) -> Option<PathBuf> {
    let name = "sitecustomize.py";
    let target = fs::canonicalize(directory.join(name)).ok()?;
    (target.ends_with(name) && target.is_file()).then_some(target)
}

/// The system's tables of file types, where `mimetypes` of Python looks (`knownfiles`) on the hosts that we know.
/// It asks whether each is there, which nobody can deny it, and then fails where it may not read one: so would
/// `http.server`, `urllib.request` of a file, and whatever asks what a file's name means. They are granted if
/// everybody may read them.
pub(super) fn file_types() -> impl Iterator<Item = PathBuf> {
    const TABLES: [&str; 5] = [
        "/etc/mime.types",
        "/etc/apache2/mime.types",
        "/etc/httpd/conf/mime.types",
        "/etc/httpd/mime.types",
        "/usr/local/etc/mime.types",
    ];
    TABLES.iter().filter_map(|path| files::public(path)).filter(|path| path.is_file())
}

/// The extension modules in a directory of the standard library and in its `lib-dynload`.
pub(super) fn extension_modules(directory: &Path) -> Vec<PathBuf> {
    let directories = [directory.to_path_buf(), directory.join("lib-dynload")];
    let entries = directories.iter().filter_map(|path| fs::read_dir(path).ok()).flatten();
    let mut modules: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| has_extension(path, "so"))
        .collect();
    modules.sort();
    modules
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension() == Some(OsStr::new(extension))
}
