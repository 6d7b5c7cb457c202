//! Where a dynamic loader looks for libraries of its own accord, and which files it reads for that.
//!
//! glibc's loader looks in the directories of `/etc/ld.so.conf` (by way of `ld.so.cache`, made from
//! them by ldconfig(8)) and then in those that it was built with; musl's in those that
//! `/etc/ld-musl-ARCH.path` names. `/etc/ld.so.preload` is left out on purpose: a confined program
//! loads nothing but its own libraries, and the loader passes over a file that it may not read.

use std::collections::BTreeSet;
use std::env::consts::ARCH;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::files;

/// Bytes of one configuration file; real ones have some hundred.
const CONFIGURATION_LIMIT: u64 = 64 * 1024;
/// How deeply `include` lines of `ld.so.conf` are followed.
const INCLUDE_DEPTH: usize = 8;
/// Libraries that musl's loader is itself (`reserved` in ldso/dynlink.c), without `lib` and `.so`.
const MUSL_OWN: [&[u8]; 7] = [b"c", b"pthread", b"rt", b"m", b"dl", b"util", b"xnet"];

/// The two families of loaders; they differ in where and in which order they search.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Family {
    Glibc,
    Musl,
}

/// A dynamic loader on this host.
#[derive(Debug)]
pub(super) struct Loader {
    pub(super) family: Family,
    /// The file name that programs know it by, which some also list as a library.
    name: OsString,
    /// Directories that it searches for every object, in its order.
    pub(super) search: Vec<PathBuf>,
    /// The real path of the file that it reads to know where libraries are.
    pub(super) reads: Option<PathBuf>,
}

impl Loader {
    /// The loader that a program names in `PT_INTERP`, an absolute path.
    pub(super) fn named(interpreter: &Path) -> Self {
        let name = interpreter.file_name().unwrap_or_default().to_owned();
        if name.as_bytes().starts_with(b"ld-musl-") {
            return Self::musl(interpreter, name);
        }
        let mut search = configured(Path::new("/etc/ld.so.conf"));
        search.extend(default_directories());
        let cache = fs::canonicalize("/etc/ld.so.cache").ok();
        Self { family: Family::Glibc, name, search, reads: cache }
    }

    /// `PREFIX/lib/ld-musl-ARCH.so.1` goes with `PREFIX/etc/ld-musl-ARCH.path`; on most hosts the
    /// prefix is the root (`__dls3` in musl's ldso/dynlink.c).
    fn musl(interpreter: &Path, name: OsString) -> Self {
        let prefix = interpreter.ancestors().nth(2).unwrap_or(Path::new("/"));
        let stem = name.as_bytes().split(|byte| *byte == b'.').next().unwrap_or_default();
        let path_file = prefix.join("etc").join(OsStr::from_bytes(&[stem, b".path"].concat()));
        let search = match files::read_start(&path_file, CONFIGURATION_LIMIT) {
            Ok(text) => text
                .split(|byte| matches!(byte, b'\n' | b':'))
                .map(|directory| PathBuf::from(OsStr::from_bytes(directory)))
                .filter(|directory| directory.is_absolute())
                .collect(),
            Err(_) => ["/lib", "/usr/local/lib", "/usr/lib"].map(PathBuf::from).to_vec(),
        };
        // musl searches nowhere when the file exists and may not be read. A link is not followed:
        // the prefix is the program's choice, and so would be the file that is granted.
        let reads = fs::canonicalize(&path_file).ok().filter(|real| *real == path_file);
        Self { family: Family::Musl, name, search, reads }
    }

    /// Whether a library is the loader itself, which is in memory before any search begins.
    pub(super) fn is_itself(&self, library: &OsStr) -> bool {
        let own = |library: &[u8]| {
            let stem = library.strip_prefix(b"lib")?;
            let end = stem.iter().position(|byte| *byte == b'.')?;
            Some(MUSL_OWN.contains(&&stem[..end]))
        };
        library == self.name
            || self.family == Family::Musl && own(library.as_bytes()).unwrap_or_default()
    }
}

/// Directories that distributions build their loader with, in the order of Debian's; the multiarch
/// ones exist there, the `lib64` ones elsewhere.
fn default_directories() -> Vec<PathBuf> {
    let multiarch = format!("{ARCH}-linux-gnu");
    ["/lib", "/usr/lib"]
        .map(|lib| Path::new(lib).join(&multiarch))
        .into_iter()
        .chain(["/lib64", "/usr/lib64", "/lib", "/usr/lib"].map(PathBuf::from))
        .collect()
}

/// The places that stand for the token `$LIB` in a search path.
pub(super) fn lib_tokens() -> [String; 3] {
    [format!("lib/{ARCH}-linux-gnu"), "lib64".to_owned(), "lib".to_owned()]
}

/// The real directories that hold this system's libraries and may be granted as a whole: the default
/// ones and what lies beneath them.
#[derive(Debug)]
pub(super) struct SystemDirectories {
    defaults: BTreeSet<PathBuf>,
}

impl SystemDirectories {
    pub(super) fn of_this_host() -> Self {
        let real = default_directories().into_iter().filter_map(|path| fs::canonicalize(path).ok());
        Self { defaults: real.collect() }
    }

    /// Whether a real directory is one of them. A default directory that contains another one, as
    /// `/usr/lib` does where there is multiarch, holds much more than libraries and is not.
    pub(super) fn contains(&self, directory: &Path) -> bool {
        let defaults = &self.defaults;
        defaults.iter().any(|default| directory.starts_with(default))
            && !defaults.iter().any(|other| other != directory && other.starts_with(directory))
    }
}

/// The directories that a file in the format of `ld.so.conf` names, in its order (`parse_conf` in
/// glibc's elf/ldconfig.c).
pub(super) fn configured(file: &Path) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    read_configuration(file, INCLUDE_DEPTH, &mut directories);
    directories
}

fn read_configuration(file: &Path, depth: usize, directories: &mut Vec<PathBuf>) {
    let (Ok(text), Some(folder)) = (files::read_start(file, CONFIGURATION_LIMIT), file.parent())
    else {
        return;
    };
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.split(|byte| *byte == b'#').next().unwrap_or_default().trim_ascii();
        if let Some(patterns) = line.strip_prefix(b"include").filter(|rest| is_argument(rest)) {
            for pattern in patterns.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()) {
                let pattern = folder.join(OsStr::from_bytes(pattern));
                for included in matching(&pattern).into_iter().filter(|_| depth > 0) {
                    read_configuration(&included, depth - 1, directories);
                }
            }
            continue;
        }
        // `DIRECTORY=libc6` is an older form that names the kind of library.
        let directory = line.split(|byte| *byte == b'=').next().unwrap_or_default().trim_ascii();
        let directory = Path::new(OsStr::from_bytes(directory));
        if directory.is_absolute() {
            directories.push(directory.to_path_buf());
        }
    }
}

fn is_argument(rest: &[u8]) -> bool {
    rest.first().is_some_and(u8::is_ascii_whitespace)
}

/// The files that a pattern with at most one `*`, in its last part, stands for; in order of names, as
/// glob(3) gives them. Distributions use no other patterns here.
fn matching(pattern: &Path) -> BTreeSet<PathBuf> {
    let (Some(folder), Some(name)) = (pattern.parent(), pattern.file_name()) else {
        return BTreeSet::new();
    };
    let Some(star) = name.as_bytes().iter().position(|byte| *byte == b'*') else {
        return BTreeSet::from([pattern.to_path_buf()]);
    };
    let (before, after) = (&name.as_bytes()[..star], &name.as_bytes()[star + 1..]);
    let fits = |name: &[u8]| {
        name.strip_prefix(before).is_some_and(|rest| rest.ends_with(after))
            && !name.starts_with(b".")
    };
    let Ok(entries) = fs::read_dir(folder) else { return BTreeSet::new() };
    let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
    names.filter(|name| fits(name.as_bytes())).map(|name| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_directories_are_the_narrowest_that_hold_libraries() {
        let host = |defaults: &[&str]| {
            let system =
                SystemDirectories { defaults: defaults.iter().map(PathBuf::from).collect() };
            move |path: &str| system.contains(Path::new(path))
        };
        let debian = host(&["/usr/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu"]);
        assert!(debian("/usr/lib/x86_64-linux-gnu") && debian("/usr/lib/jvm/lib"));
        assert!(!debian("/usr/lib") && !debian("/usr") && !debian("/usr/local/lib"));
        let arch = host(&["/usr/lib"]);
        assert!(arch("/usr/lib") && !arch("/") && !arch("/usr/library"));
    }
}
