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
            Err(source) => {
                pass_closed(path, source)?;
                continue;
            }
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
    if metadata.nlink() != 1 && !metadata.is_symlink() {
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

/// Passes a directory that cannot be listed because it is gone, or closed: one that cannot be entered
/// either, so that nothing in it can be written.
fn pass_closed(path: PathBuf, source: io::Error) -> Result<(), Refusal> {
    let is = |kind| source.kind() == kind;
    let closed = is(io::ErrorKind::NotFound)
        || (is(io::ErrorKind::PermissionDenied)
            && rustix::fs::access(&path, Permission::EXEC_OK).is_err());
    if closed { Ok(()) } else { Err(Refusal::Look { path, call: "opendir", source }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grants::Grants;
    use std::os::unix::fs::symlink;

    struct Tree(tempfile::TempDir);

    impl Tree {
        /// A file inside with a second name inside, and one with a second name outside.
        fn new() -> Self {
            let tree = Self(tempfile::tempdir().unwrap());
            fs::create_dir_all(tree.at("in/below")).unwrap();
            fs::create_dir(tree.at("out")).unwrap();
            for name in ["in/own", "in/below/both", "out/shared"] {
                fs::write(tree.at(name), "").unwrap();
            }
            fs::hard_link(tree.at("in/below/both"), tree.at("in/second")).unwrap();
            tree
        }

        fn at(&self, name: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(name)
        }

        fn shares(&self) {
            fs::hard_link(self.at("out/shared"), self.at("in/below/shared")).unwrap();
        }

        fn refused(&self, writes: &[&str]) -> Option<(PathBuf, u64, u64)> {
            let grant = |grants: Grants, name: &&str| grants.write(self.at(name));
            let grants = writes.iter().fold(Grants::default().read(self.at("out")), grant);
            match refuse_shared(&grants.storage) {
                Ok(()) => None,
                Err(Refusal::Shared { file, names, inside }) => Some((file, names, inside)),
                Err(other) => panic!("{other}"),
            }
        }
    }

    #[test]
    fn a_file_that_is_written_has_all_its_names_inside_what_is_written() {
        let tree = Tree::new();
        assert_eq!(tree.refused(&["in"]), None);
        tree.shares();
        let shared = Some((tree.at("in/below/shared"), 2, 1));
        assert_eq!(tree.refused(&["in"]), shared);
        // A place inside another is not counted twice.
        assert_eq!(tree.refused(&["in", "in/below"]), shared);
        assert_eq!(tree.refused(&["in/below/shared"]), shared);
        assert_eq!(tree.refused(&["in", "out"]), None);
        assert_eq!(tree.refused(&["out/shared", "in"]), None);
        assert_eq!(tree.refused(&["in/own"]), None);
        assert_eq!(tree.refused(&[]), None);
        assert_eq!(tree.refused(&["in/below/both"]), Some((tree.at("in/below/both"), 2, 1)));
        assert_eq!(tree.refused(&["absent"]), None);
    }

    #[test]
    fn shared_files_are_refused_by_the_whole_policy_unless_they_are_granted() {
        let tree = Tree::new();
        tree.shares();
        let mut grants = Grants::default().write(tree.at("in"));
        assert!(matches!(
            crate::policy::Policy::from_grants(&grants),
            Err(Refusal::Shared { names: 2, inside: 1, .. })
        ));
        grants.shared_files = true;
        crate::policy::Policy::from_grants(&grants).unwrap();
        let reading = Grants::default().read(tree.at("in"));
        crate::policy::Policy::from_grants(&reading).unwrap();
    }

    #[test]
    fn a_symbolic_link_cannot_be_written_and_may_have_names_outside() {
        let tree = Tree::new();
        symlink("/nowhere", tree.at("out/link")).unwrap();
        fs::hard_link(tree.at("out/link"), tree.at("in/link")).unwrap();
        assert_eq!(tree.at("in/link").symlink_metadata().unwrap().nlink(), 2);
        assert_eq!(tree.refused(&["in"]), None);
    }

    #[test]
    fn what_is_not_there_is_nothing_and_what_cannot_be_looked_at_is_refused() {
        let tree = Tree::new();
        assert!(look(&tree.at("in/own")).unwrap().unwrap().is_file());
        assert!(look(&tree.at("absent")).unwrap().is_none());
        let below_a_file = tree.at("in/own/inner");
        match look(&below_a_file) {
            Err(Refusal::Look { path, call: "lstat", .. }) => assert_eq!(path, below_a_file),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_directory_that_cannot_be_listed_is_passed_if_it_is_gone_or_cannot_be_entered() {
        let tree = Tree::new();
        let pass =
            |name: &str, errno| pass_closed(tree.at(name), io::Error::from_raw_os_error(errno));
        pass("in", libc::ENOENT).unwrap();
        // A file cannot be entered, nor what is not there; a directory of ours can.
        for closed in ["in/own", "absent"] {
            pass(closed, libc::EACCES).unwrap();
        }
        for (name, errno) in [("in", libc::EACCES), ("in", libc::EMFILE), ("absent", libc::EMFILE)]
        {
            match pass(name, errno) {
                Err(Refusal::Look { path, call: "opendir", .. }) => assert_eq!(path, tree.at(name)),
                other => panic!("{other:?}"),
            }
        }
    }
}
