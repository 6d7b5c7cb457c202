//! Linux. A mount namespace from data: the steps by which a child makes it, laid out before the child
//! exists. What does not depend on the program is laid out once.

use super::LaunchError;
use crate::enforcement::View;
use crate::linux::view::holder;
use crate::policy::{Kind, Place};
use crate::protection::{Protection, Reason, Unavailable};
use crate::sys::child::{FileId, Shown, ViewPlan, ViewStep};
use nix::sys::stat::{FileStat, fstat, lstat, major, minor};
use std::collections::BTreeSet;
use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What every place is mounted with. Devices are not among it: a grant may be one, or hold some.
const ATTRIBUTES: u64 = libc::MOUNT_ATTR_NOSUID;

/// The steps for the granted places.
#[derive(Debug)]
pub(super) struct Places {
    view: View,
    steps: Arc<[ViewStep]>,
    /// Directories that the steps make.
    made: BTreeSet<PathBuf>,
    /// The name under which the old root stands in the new one meanwhile.
    old: String,
}

impl Places {
    /// Lays out the granted places and checks that they still are what the policy says.
    pub(super) fn prepare(view: &View) -> Result<Self, Unavailable> {
        let mut old = ".old".to_owned();
        let taken = |name: &str| {
            let top = Path::new("/").join(name);
            let paths = view.places.keys().filter_map(path);
            paths.chain(view.links.keys().map(Path::new)).any(|path| path.starts_with(&top))
        };
        while taken(&old) {
            old.push('.');
        }
        let (made, mut steps) = (BTreeSet::from(["/".into()]), Vec::new());
        let mut places = Self { view: view.clone(), steps: Arc::default(), made, old };
        for (place, shown) in &view.places {
            let Some(path) = path(place) else { continue };
            places
                .add(&mut steps, path, shown.kind, shown.writable)
                .map_err(|source| lost(path, source))?;
        }
        for (link, text) in &view.links {
            let made = places.link(&mut steps, Path::new(link), text);
            made.map_err(|source| lost(Path::new(link), source))?;
        }
        places.steps = steps.into();
        Ok(places)
    }

    /// Adds a place, unless one above it shows it already in the same way. Places come in the order of
    /// their paths, so that a wider one comes before a narrower one.
    fn add(
        &mut self,
        steps: &mut Vec<ViewStep>,
        path: &Path,
        kind: Kind,
        writable: bool,
    ) -> io::Result<()> {
        let above = path.parent().and_then(|parent| holder(&self.view.places, parent));
        match above {
            Some((_, outer)) if outer.writable || !writable => return Ok(()),
            Some(_) => {}
            None => {
                parents(steps, &self.made, path)?;
                self.made.extend(path.ancestors().skip(1).map(Path::to_owned));
                steps.push(point(path, kind)?);
            }
        }
        let file = file_of(&lstat(path)?);
        steps.push(mount(&self.old, path, file, writable)?);
        Ok(())
    }

    fn link(&mut self, steps: &mut Vec<ViewStep>, path: &Path, text: &str) -> io::Result<()> {
        parents(steps, &self.made, path)?;
        self.made.extend(path.ancestors().skip(1).map(Path::to_owned));
        steps.push(ViewStep::Link(c_string(path)?, c_string(Path::new(text))?));
        Ok(())
    }

    /// Completes the view for one program.
    pub(super) fn complete(
        &self,
        run: &Path,
        status: &FileStat,
        text: Option<&Path>,
        program: Option<(BorrowedFd<'_>, &Path)>,
    ) -> io::Result<ViewPlan> {
        let mut steps = Vec::new();
        // A place inside it, such as a program that was built there, has made the way to it already.
        if holder(&self.view.places, run).is_none() && !self.made.contains(run) {
            parents(&mut steps, &self.made, run)?;
            steps.push(point(run, Kind::Directory)?);
        }
        let run_file = file_of(status);
        let shown = shown(&self.old, run, run_file, true)?;
        let old_run = shown.source.clone();
        steps.push(ViewStep::Mount(shown));
        if let Some(text) = text.filter(|_text| self.view.places.contains_key(&Place::Program)) {
            self.show_text(&mut steps, run, text)?;
        }
        let (user, group) = (nix::unistd::geteuid().as_raw(), nix::unistd::getegid().as_raw());
        let map = |id: u32| CString::new(format!("{id} {id} 1\n"));
        let program = program.map(|(opened, path)| -> io::Result<_> {
            Ok((c_string(path)?, file_of(&fstat(opened)?)))
        });
        Ok(ViewPlan {
            user,
            maps: [map(user)?, map(group)?],
            run: c_string(run)?,
            run_file,
            old_name: CString::new(self.old.as_str())?,
            old: c_string(&Path::new("/").join(&self.old))?,
            old_run,
            places: Arc::clone(&self.steps),
            steps,
            program: program.transpose()?,
        })
    }

    /// Shows the program's text, which stands beside the run directory.
    fn show_text(&self, steps: &mut Vec<ViewStep>, run: &Path, text: &Path) -> io::Result<()> {
        if holder(&self.view.places, text).is_none() {
            let mut made = self.made.clone();
            made.extend(run.ancestors().map(Path::to_owned));
            parents(steps, &made, text)?;
            steps.push(point(text, Kind::File)?);
        }
        steps.push(mount(&self.old, text, file_of(&lstat(text)?), false)?);
        Ok(())
    }
}

/// The path of a step.
pub(super) fn path_of(view: &ViewPlan, index: u32) -> PathBuf {
    let step = usize::try_from(index).ok().and_then(|index| view.all().nth(index));
    let path = step.map(|step| match step {
        ViewStep::Directory(path) | ViewStep::File(path) | ViewStep::Link(path, _) => path,
        ViewStep::Mount(shown) => &shown.target,
    });
    path.map(|path| PathBuf::from(OsStr::from_bytes(path.to_bytes()))).unwrap_or_default()
}

fn path(place: &Place) -> Option<&Path> {
    match place {
        Place::Path(path) => Some(Path::new(path)),
        Place::Run | Place::Program => None,
    }
}

/// Makes the directories above a path that are not made yet.
fn parents(steps: &mut Vec<ViewStep>, made: &BTreeSet<PathBuf>, path: &Path) -> io::Result<()> {
    let above: Vec<&Path> =
        path.ancestors().skip(1).take_while(|above| !made.contains(*above)).collect();
    for directory in above.into_iter().rev() {
        steps.push(ViewStep::Directory(c_string(directory)?));
    }
    Ok(())
}

fn point(path: &Path, kind: Kind) -> io::Result<ViewStep> {
    let path = c_string(path)?;
    Ok(match kind {
        Kind::Directory => ViewStep::Directory(path),
        Kind::File => ViewStep::File(path),
    })
}

fn mount(old: &str, path: &Path, file: FileId, writable: bool) -> io::Result<ViewStep> {
    Ok(ViewStep::Mount(shown(old, path, file, writable)?))
}

fn shown(old: &str, path: &Path, file: FileId, writable: bool) -> io::Result<Shown> {
    let mut source = [b"/", old.as_bytes()].concat();
    source.extend_from_slice(path.as_os_str().as_bytes());
    let read_only = if writable { 0 } else { libc::MOUNT_ATTR_RDONLY };
    let attributes = ATTRIBUTES | read_only;
    Ok(Shown { source: CString::new(source)?, target: c_string(path)?, attributes, file })
}

fn file_of(status: &FileStat) -> FileId {
    let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    FileId {
        major: number(major(status.st_dev)),
        minor: number(minor(status.st_dev)),
        inode: status.st_ino,
    }
}

fn c_string(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// That a place cannot be laid out.
fn lost(path: &Path, source: io::Error) -> Unavailable {
    Unavailable {
        protection: Protection::Metadata,
        call: "lstat",
        reason: Reason::Path { path: path.to_owned(), source },
        remedy: "grant paths that exist, that you may reach, and that stay what they are",
    }
}

/// That no view can be had here.
pub(super) fn refused(call: &'static str, reason: Reason) -> LaunchError {
    LaunchError::Unavailable(Unavailable {
        protection: Protection::Metadata,
        call,
        reason,
        remedy: "allow unprivileged user namespaces (user.max_user_namespaces, kernel.unprivileged_userns_clone, \
                 kernel.apparmor_restrict_unprivileged_userns; in a container its filter), or run without hiding metadata",
    })
}
