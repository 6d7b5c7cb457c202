//! Linux. Removes a tree that an untrusted program has written, however it is made: closed, immutable,
//! endlessly deep or wide. It follows no symbolic link, crosses into no other file system, opens nothing
//! but directories, and holds one name at a time.
//!
//! What lies below a directory is moved up beside it and the emptied directory is removed, so neither
//! depth nor length of a path matters, and no list of names is kept.

use rustix::fs::{
    AtFlags, Dir, FileType, IFlags, Mode, OFlags, RenameFlags, ResolveFlags, Stat, chmod,
    ioctl_getflags, ioctl_setflags, openat2, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;

/// Findings that are told one by one; further ones are counted.
const TOLD: usize = 16;

/// How the names begin under which directories are moved up.
const MOVED: &str = ".moved-up-";

/// What a removal left behind.
#[derive(Debug, Default)]
pub struct Removal {
    told: Vec<String>,
    untold: usize,
}

impl Removal {
    /// Whether nothing was left.
    pub fn is_complete(&self) -> bool {
        self.told.is_empty()
    }

    /// What was left, in words; names with every odd byte escaped.
    pub fn findings(self) -> Vec<String> {
        let Self { mut told, untold } = self;
        if untold > 0 {
            told.push(format!("and {untold} more"));
        }
        told
    }

    /// Notes one more thing that was left.
    pub fn note(&mut self, what: &str) {
        if self.told.len() < TOLD {
            self.told.push(what.to_owned());
        } else {
            self.untold += 1;
        }
    }
}

/// Removes a directory with all below it. One that is not there is no finding.
pub fn remove_tree(parent: impl AsFd, name: &CStr) -> Removal {
    let mut removal = Removal::default();
    let parent = parent.as_fd();
    let told = |call, errno: Errno| format!("{call} {}: {errno}", name.to_bytes().escape_ascii());
    let directory = match open_directory(parent, name) {
        Ok(directory) => directory,
        Err(Errno::NOENT) => return removal,
        Err(errno) => {
            removal.note(&told("open", errno));
            return removal;
        }
    };
    removal = remove_contents(&directory, &[]);
    if removal.is_complete()
        && let Err(errno) = unlinkat(parent, name, AtFlags::REMOVEDIR)
    {
        removal.note(&told("rmdir", errno));
    }
    removal
}

/// Empties a directory, but for the names in `keep`.
pub fn remove_contents(directory: &OwnedFd, keep: &[&str]) -> Removal {
    let mut emptying = Emptying { top: directory, keep, serial: 0 };
    loop {
        let mut removal = Removal::default();
        match emptying.pass(&mut removal) {
            Err(errno) => {
                removal.note(&format!("list the directory: {errno}"));
                return removal;
            }
            Ok(Pass { seen: false, .. }) => return removal,
            Ok(Pass { progress: false, .. }) => return removal,
            Ok(Pass { progress: true, .. }) => {}
        }
    }
}

/// What one reading of the directory came to.
#[derive(Default)]
struct Pass {
    seen: bool,
    progress: bool,
}

struct Emptying<'a> {
    top: &'a OwnedFd,
    keep: &'a [&'a str],
    serial: u64,
}

impl Emptying<'_> {
    fn pass(&mut self, removal: &mut Removal) -> Result<Pass, Errno> {
        let mut pass = Pass::default();
        for entry in Dir::read_from(self.top)? {
            let entry = entry?;
            let name = entry.file_name();
            let kept = self.keep.iter().any(|keep| keep.as_bytes() == name.to_bytes());
            if is_dots(name) || kept {
                continue;
            }
            pass.seen = true;
            match self.remove(name, &mut pass.progress) {
                // Moved, or gone already: a directory that is read while it changes may show either.
                Ok(()) | Err(Errno::NOENT) => pass.progress = true,
                Err(errno) => {
                    removal.note(&format!("remove {}: {errno}", name.to_bytes().escape_ascii()));
                }
            }
        }
        Ok(pass)
    }

    /// Removes one entry of the top directory, after moving up the directories that lie in it.
    fn remove(&mut self, name: &CStr, progress: &mut bool) -> Result<(), Errno> {
        let top = self.top.as_fd();
        let stat = statat(top, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if !FileType::from_raw_mode(stat.st_mode).is_dir() {
            return remove_file(top, name, &stat);
        }
        if is_removed_empty(top, name) {
            return Ok(());
        }
        let directory = open_directory(top, name)?;
        loop {
            let (mut seen, mut failure) = (false, None);
            let mut moved = false;
            for entry in Dir::read_from(&directory)? {
                let entry = entry?;
                let below = entry.file_name();
                if is_dots(below) {
                    continue;
                }
                seen = true;
                match self.take_out(&directory, below) {
                    Ok(()) | Err(Errno::NOENT) => moved = true,
                    Err(errno) => failure = Some(errno),
                }
            }
            *progress |= moved;
            match failure {
                None if !seen => return unlinkat(top, name, AtFlags::REMOVEDIR),
                Some(errno) if !moved => return Err(errno),
                Some(_) | None => {}
            }
        }
    }

    /// Removes a file from a directory, or moves a directory up to the top.
    fn take_out(&mut self, directory: &OwnedFd, name: &CStr) -> Result<(), Errno> {
        let stat = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if !FileType::from_raw_mode(stat.st_mode).is_dir() {
            return remove_file(directory.as_fd(), name, &stat);
        }
        if is_removed_empty(directory.as_fd(), name) {
            return Ok(());
        }
        // Its own permission to write is needed too, because its `..` changes.
        open_directory(directory.as_fd(), name)?;
        loop {
            self.serial += 1;
            let free = CString::new(format!("{MOVED}{}", self.serial)).unwrap_or_default();
            let moved =
                renameat_with(directory, name, self.top, free.as_c_str(), RenameFlags::NOREPLACE);
            match moved {
                Err(Errno::EXIST) => {}
                other => return other,
            }
        }
    }
}

fn is_dots(name: &CStr) -> bool {
    name == c"." || name == c".."
}

/// Removes a directory if it is empty and nothing holds it, which most are.
fn is_removed_empty(parent: BorrowedFd<'_>, name: &CStr) -> bool {
    unlinkat(parent, name, AtFlags::REMOVEDIR).is_ok()
}

/// Removes what is no directory. An immutable or append-only file is released first.
fn remove_file(parent: BorrowedFd<'_>, name: &CStr, stat: &Stat) -> Result<(), Errno> {
    match unlinkat(parent, name, AtFlags::empty()) {
        Err(Errno::PERM | Errno::ACCESS) => {
            release(parent);
            if FileType::from_raw_mode(stat.st_mode).is_file() {
                let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
                if let Ok(file) = beneath(parent, name, flags) {
                    release(file.as_fd());
                }
            }
            unlinkat(parent, name, AtFlags::empty())
        }
        other => other,
    }
}

/// Opens a directory of this file system and makes it one that can be emptied.
fn open_directory(parent: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let path = beneath(parent, name, flags | OFlags::PATH)?;
    let wanted = Mode::RWXU.as_raw_mode();
    if rustix::fs::fstat(&path)?.st_mode & wanted != wanted {
        // A descriptor without rights names the very directory that was looked at, whatever its mode.
        let itself = format!("/proc/self/fd/{}", path.as_raw_fd());
        if chmod(Path::new(&itself), Mode::RWXU) == Err(Errno::PERM) {
            release(beneath(parent, name, flags | OFlags::RDONLY)?.as_fd());
            chmod(Path::new(&itself), Mode::RWXU)?;
        }
    }
    let directory = beneath(parent, name, flags | OFlags::RDONLY)?;
    release(directory.as_fd());
    Ok(directory)
}

/// Opens one entry, through no link and into no other file system.
fn beneath(parent: BorrowedFd<'_>, name: &CStr, flags: OFlags) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::BENEATH
        | ResolveFlags::NO_SYMLINKS
        | ResolveFlags::NO_MAGICLINKS
        | ResolveFlags::NO_XDEV;
    openat2(parent, name, flags, Mode::empty(), resolve)
}

/// Takes the flags off a file or directory that stop even its owner, where we may.
fn release(file: BorrowedFd<'_>) {
    let bolts = IFlags::IMMUTABLE | IFlags::APPEND;
    if let Ok(flags) = ioctl_getflags(file)
        && flags.intersects(bolts)
    {
        let _removal_will_fail = ioctl_setflags(file, flags - bolts);
    }
}

#[cfg(test)]
mod tests;
