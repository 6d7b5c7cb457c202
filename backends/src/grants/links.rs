//! Linux. Files with several names: a write through a granted name changes the file outside, too.

use super::{Access, Refusal, Storage};
use rustix::fs::Access as Permission;
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file with several names: one of them, how many it has, and how many were found.
type Found = BTreeMap<(u64, u64), (PathBuf, u64, u64)>;

/// Refuses write grants in which a file has more names than the grants hold.
pub(super) fn refuse_shared(storage: &[Storage]) -> Result<(), Refusal> {
    let mut found = Found::new();
    let places = storage.iter().filter(|storage| storage.access == Access::Write);
    let mut places: Vec<&Path> = places.map(|storage| storage.path.as_path()).collect();
    places.sort();
    // What lies beneath another place would be counted twice.
    places.dedup_by(|later, earlier| later.starts_with(earlier));
    for place in places {
        walk(place, &mut found)?;
    }
    match found.into_values().find(|(_, names, inside)| inside < names) {
        Some((file, names, inside)) => Err(Refusal::Shared { file, names, inside }),
        None => Ok(()),
    }
}

/// Counts the names beneath a place, on its own file system.
fn walk(place: &Path, found: &mut Found) -> Result<(), Refusal> {
    let Some(top) = look(place)? else { return Ok(()) };
    let mut waiting = vec![(place.to_owned(), top.clone())];
    while let Some((path, metadata)) = waiting.pop() {
        if !metadata.is_dir() {
            count(path, &metadata, found);
            continue;
        }
        if metadata.dev() != top.dev() {
            continue;
        }
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if is_closed(&path, &error) => continue,
            Err(source) => return Err(Refusal::Look { path, call: "opendir", source }),
        };
        for entry in entries {
            let look_failed =
                |source| Refusal::Look { path: path.clone(), call: "readdir", source };
            let inner = entry.map_err(look_failed)?.path();
            if let Some(metadata) = look(&inner)? {
                waiting.push((inner, metadata));
            }
        }
    }
    Ok(())
}

fn count(path: PathBuf, metadata: &Metadata, found: &mut Found) {
    // Only what can be written through the name matters; a symbolic link cannot.
    if metadata.nlink() > 1 && !metadata.is_symlink() {
        let key = (metadata.dev(), metadata.ino());
        found.entry(key).or_insert((path, metadata.nlink(), 0)).2 += 1;
    }
}

fn look(path: &Path) -> Result<Option<Metadata>, Refusal> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Refusal::Look { path: path.to_owned(), call: "lstat", source }),
    }
}

/// Whether a directory that cannot be listed cannot be entered either, so that nothing in it can be
/// written; or is gone.
fn is_closed(path: &Path, error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
        || (error.kind() == io::ErrorKind::PermissionDenied
            && rustix::fs::access(path, Permission::EXEC_OK).is_err())
}
