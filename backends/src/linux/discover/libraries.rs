//! Resolves the libraries of a program as its loader will: ld.so(8), and path_open in musl's
//! ldso/dynlink.c. Nothing is run; ldd(1) would run the program.
//!
//! Variants for newer processors (`glibc-hwcaps`) beside a private library are not looked for: a
//! loader that may not open one goes on to the plain library.

use std::collections::BTreeSet;
use std::env::consts::ARCH;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::elf::Elf;
use super::error::DiscoverError;
use super::loader::{Family, Loader, SystemDirectories, lib_tokens};

/// An image with every library that was found for it.
#[derive(Debug)]
pub(super) struct Closure {
    loader: Loader,
    system: SystemDirectories,
    objects: Vec<Object>,
    /// Names that are resolved: a loader does not search again for a library that it has.
    names: BTreeSet<OsString>,
    /// Real paths of the libraries.
    files: BTreeSet<PathBuf>,
    /// Real paths of the system directories that any of them lies in.
    directories: BTreeSet<PathBuf>,
}

#[derive(Debug)]
struct Object {
    /// As the loader opened it; its directory is this object's `$ORIGIN`.
    path: PathBuf,
    elf: Elf,
    loaded_by: Option<usize>,
}

impl Closure {
    /// The closure of an image, by its real path. Fails on the first library that is nowhere: the
    /// loader would not start the program.
    pub(super) fn of(image: &Path, elf: Elf, loader: Loader) -> Result<Self, DiscoverError> {
        let mut closure = Self {
            loader,
            system: SystemDirectories::of_this_host(),
            objects: Vec::new(),
            names: BTreeSet::new(),
            files: BTreeSet::new(),
            directories: BTreeSet::new(),
        };
        match closure.load(Object { path: image.to_path_buf(), elf, loaded_by: None }) {
            Some(missing) => Err(missing),
            None => Ok(closure),
        }
    }

    /// Adds what a library needs that the image may open later (an extension module). What is
    /// missing is passed over: opening the library fails, the program goes on.
    pub(super) fn add_optional(&mut self, library: &Path) {
        if let Ok(elf) = Elf::open(library) {
            self.load(Object { path: library.to_path_buf(), elf, loaded_by: Some(0) });
        }
    }

    /// What the loader reads, by real path: libraries, their system directories as a whole, and its
    /// own configuration.
    pub(super) fn reads(&self) -> impl Iterator<Item = PathBuf> {
        let libraries = self.files.iter().chain(&self.directories);
        libraries.chain(&self.loader.reads).cloned()
    }

    /// Loads an object and, breadth first as loaders do, everything that it needs. Gives the first
    /// library that was not found.
    fn load(&mut self, object: Object) -> Option<DiscoverError> {
        let mut missing = None;
        let mut next = self.objects.len();
        self.objects.push(object);
        while let Some(object) = self.objects.get(next) {
            for name in object.elf.needed.clone() {
                if self.loader.is_itself(&name) || self.names.contains(&name) {
                    continue;
                }
                match self.search(next, &name) {
                    Some((path, elf)) => self.found(name, path, elf, next),
                    None => {
                        let needed_by = self.objects[next].path.clone();
                        let error = DiscoverError::MissingLibrary { library: name, needed_by };
                        missing.get_or_insert(error);
                    }
                }
            }
            next += 1;
        }
        missing
    }

    fn found(&mut self, name: OsString, path: PathBuf, elf: Elf, loaded_by: usize) {
        self.names.insert(name);
        let Ok(real) = fs::canonicalize(&path) else { return };
        let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
        self.directories.extend(folder.filter(|folder| self.system.contains(folder)));
        if self.files.insert(real) {
            self.objects.push(Object { path, elf, loaded_by: Some(loaded_by) });
        }
    }

    /// The first file of that name that is a library for this machine; loaders pass over others.
    fn search(&self, needed_by: usize, name: &OsStr) -> Option<(PathBuf, Elf)> {
        let candidates = if name.as_bytes().contains(&b'/') {
            expand(name, &self.objects[needed_by].path)
        } else {
            let directories = self.directories_for(needed_by);
            directories.into_iter().map(|directory| directory.join(name)).collect()
        };
        candidates.into_iter().find_map(|path| {
            let elf = Elf::open(&path).ok()?;
            elf.shared.then_some((path, elf))
        })
    }

    /// Where the loader searches for what an object needs, in its order.
    fn directories_for(&self, needed_by: usize) -> Vec<PathBuf> {
        let asking = &self.objects[needed_by];
        let loaders = std::iter::successors(Some(asking), |object| {
            object.loaded_by.map(|number| &self.objects[number])
        });
        let mut directories: Vec<PathBuf> = Vec::new();
        match (self.loader.family, &asking.elf.runpath) {
            // DT_RUNPATH is for the object's own needs and switches every DT_RPATH off.
            (Family::Glibc, Some(runpath)) => {
                directories.extend(runpath.iter().flat_map(|path| expand(path, &asking.path)));
            }
            // DT_RPATH is inherited from the objects that led here.
            (Family::Glibc, None) => {
                for object in loaders.filter(|object| object.elf.runpath.is_none()) {
                    let rpath = object.elf.rpath.iter();
                    directories.extend(rpath.flat_map(|path| expand(path, &object.path)));
                }
            }
            // musl makes no difference between the two.
            (Family::Musl, _) => {
                for object in loaders {
                    let path = object.elf.runpath.as_ref().unwrap_or(&object.elf.rpath).iter();
                    directories.extend(path.flat_map(|path| expand(path, &object.path)));
                }
            }
        }
        directories.extend(self.loader.search.iter().cloned());
        directories
    }
}

/// Expands the tokens of ld.so(8) in a path. Relative results are dropped: they would depend on the
/// directory that the program is started in.
fn expand(path: &OsStr, object: &Path) -> Vec<PathBuf> {
    let origin = object.parent().unwrap_or(Path::new("/")).as_os_str().as_bytes();
    let path = replace(path.as_bytes(), "ORIGIN", origin);
    let path = replace(&path, "PLATFORM", ARCH.as_bytes());
    let variants: BTreeSet<Vec<u8>> =
        lib_tokens().iter().map(|lib| replace(&path, "LIB", lib.as_bytes())).collect();
    let paths = variants.into_iter().map(|path| PathBuf::from(OsString::from_vec(path)));
    paths.filter(|path| path.is_absolute()).collect()
}

/// Replaces `$NAME` and `${NAME}`.
fn replace(path: &[u8], name: &str, by: &[u8]) -> Vec<u8> {
    let forms = [format!("${{{name}}}"), format!("${name}")];
    let mut replaced = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((first, tail)) = rest.split_first() {
        if let Some(after) = forms.iter().find_map(|form| rest.strip_prefix(form.as_bytes())) {
            replaced.extend_from_slice(by);
            rest = after;
        } else {
            replaced.push(*first);
            rest = tail;
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_expanded_and_relative_paths_dropped() {
        let expanded = |path: &str| expand(OsStr::new(path), Path::new("/opt/tool/bin/tool"));
        assert_eq!(expanded("$ORIGIN/../lib"), [PathBuf::from("/opt/tool/bin/../lib")]);
        assert_eq!(expanded("/a/${ORIGIN}"), [PathBuf::from("/a//opt/tool/bin")]);
        assert_eq!(expanded("/$PLATFORM"), [Path::new("/").join(ARCH)]);
        assert!(expanded("/usr/$LIB").contains(&PathBuf::from("/usr/lib64")));
        assert!(expanded("/usr/${LIB}").contains(&PathBuf::from("/usr/lib")));
        for relative in ["", "lib", "./lib", "$OTHER/lib"] {
            assert_eq!(expanded(relative), Vec::<PathBuf>::new(), "{relative:?}");
        }
    }
}
