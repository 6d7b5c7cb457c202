//! Looks at files by name: where a program is, whether it may be started, what its real path is.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, eaccess};

use super::error::{DiscoverError, NotExecutable};

/// Opens a regular file for reading. A FIFO does not block and a device is not read: the path may
/// have been chosen by an untrusted file.
pub(super) fn open_regular(path: &Path) -> io::Result<File> {
    let file =
        OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok(file)
}

/// At most the first `limit` bytes of a regular file.
pub(super) fn read_start(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    open_regular(path)?.take(limit).read_to_end(&mut start)?;
    Ok(start)
}

/// The absolute path of a program as a shell finds it: a name without a slash is searched in
/// `path_variable`, anything else is taken from the working directory.
///
/// Relative and empty elements of the variable are passed over: what they mean depends on where the
/// host happens to stand.
pub(super) fn locate(program: &Path, path_variable: &OsStr) -> Result<PathBuf, DiscoverError> {
    let not_found = || DiscoverError::NotFound { path: program.to_path_buf() };
    if program.as_os_str().is_empty() {
        return Err(not_found());
    }
    if program.as_os_str().as_bytes().contains(&b'/') {
        return std::path::absolute(program).map_err(inspect("getcwd for", program));
    }
    // Like execvp(3): a candidate that cannot be started does not end the search, but it is the
    // better explanation if nothing else is found.
    let mut refusal = not_found();
    for directory in std::env::split_paths(path_variable).filter(|path| path.is_absolute()) {
        let candidate = directory.join(program);
        match executable(&candidate) {
            Ok(_) => return Ok(candidate),
            Err(error) if error.is_not_found() => {}
            Err(error) => refusal = error,
        }
    }
    Err(refusal)
}

/// The real path of a file that this user may start.
pub(super) fn executable(path: &Path) -> Result<PathBuf, DiscoverError> {
    let real = fs::canonicalize(path).map_err(|source| {
        if source.kind() == io::ErrorKind::NotFound {
            return DiscoverError::NotFound { path: path.to_path_buf() };
        }
        inspect("realpath", path)(source)
    })?;
    let metadata = fs::metadata(&real).map_err(inspect("stat", &real))?;
    let refuse = |cause| Err(DiscoverError::NotExecutable { path: path.to_path_buf(), cause });
    if metadata.is_dir() {
        return refuse(NotExecutable::Directory);
    }
    if !metadata.is_file() {
        return refuse(NotExecutable::NotRegular);
    }
    if is_set_id(metadata.mode()) {
        return refuse(NotExecutable::SetId);
    }
    // The effective user is asked for, with the mount's noexec taken into account: access(2).
    if eaccess(&real, AccessFlags::X_OK).is_err() {
        return refuse(NotExecutable::Permission);
    }
    Ok(real)
}

/// Whether exec would change the user or group. A set-group-id bit without group execution is not
/// one: inode(7).
fn is_set_id(mode: u32) -> bool {
    let group = libc::S_ISGID | libc::S_IXGRP;
    mode & libc::S_ISUID != 0 || mode & group == group
}

/// The real path of a file or directory that exists and that everybody may read.
pub(super) fn public(path: &str) -> Option<PathBuf> {
    let real = fs::canonicalize(path).ok()?;
    let mode = fs::metadata(&real).ok()?.mode();
    (mode & libc::S_IROTH != 0).then_some(real)
}

/// Turns an I/O error into [`DiscoverError::Inspect`].
pub(super) fn inspect(call: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DiscoverError {
    move |source| DiscoverError::Inspect { call, path: path.to_path_buf(), source }
}

/// The same files and directories without those that lie beneath another entry.
pub(super) fn collapse(paths: BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let mut kept: BTreeSet<PathBuf> = BTreeSet::new();
    // Paths are ordered by component, so what lies beneath an entry follows it directly.
    for path in paths {
        if !kept.last().is_some_and(|above| path.starts_with(above)) {
            kept.insert(path);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn set_group_id_counts_only_with_group_execution() {
        assert!(is_set_id(0o4755));
        assert!(is_set_id(0o2755));
        assert!(!is_set_id(0o2745));
        assert!(!is_set_id(0o0755));
    }

    proptest! {
        #[test]
        fn collapse_keeps_exactly_the_paths_that_no_other_covers(
            paths in proptest::collection::btree_set("(/[ab.-]{1,2}){1,4}", 0..20)
        ) {
            let paths: BTreeSet<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
            let kept = collapse(paths.clone());
            for path in &paths {
                let covered = paths.iter().any(|above| above != path && path.starts_with(above));
                prop_assert_eq!(kept.contains(path), !covered);
            }
        }
    }
}
