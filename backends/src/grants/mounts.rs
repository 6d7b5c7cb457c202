//! Linux. Mounts inside granted directories: Landlock's rules hold beneath a path, across mounts.

use super::{Refusal, Storage};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Where the kernel lists the mounts that this process can reach, proc_pid_mountinfo(5).
const TABLE: &str = "/proc/self/mountinfo";

/// Refuses a directory in which another tree is mounted that is not granted by its own name.
pub(super) fn refuse_beneath(storage: &[Storage]) -> Result<(), Refusal> {
    if storage.is_empty() {
        return Ok(());
    }
    let table = std::fs::read(TABLE).map_err(|source| Refusal::Look {
        path: TABLE.into(),
        call: "read",
        source,
    })?;
    match beneath(storage, &mount_points(&table)) {
        Some((grant, mount)) => Err(Refusal::Mounted { grant, mount }),
        None => Ok(()),
    }
}

/// A grant and a mount point strictly beneath it that no grant names.
fn beneath(storage: &[Storage], mounts: &[PathBuf]) -> Option<(PathBuf, PathBuf)> {
    let named = |mount: &Path| storage.iter().any(|storage| storage.path == mount);
    storage.iter().find_map(|storage| {
        let inside = |mount: &&PathBuf| mount.starts_with(&storage.path) && !named(mount.as_path());
        mounts.iter().find(inside).map(|mount| (storage.path.clone(), mount.clone()))
    })
}

/// The fifth field of each line, in which white space and backslashes are written in octal.
pub(super) fn mount_points(table: &[u8]) -> Vec<PathBuf> {
    table
        .split(|byte| *byte == b'\n')
        .filter_map(|line| line.split(|byte| *byte == b' ').nth(4))
        .map(|field| PathBuf::from(OsString::from_vec(unescaped(field))))
        .collect()
}

fn unescaped(mut field: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    while let Some((first, rest)) = field.split_first() {
        let octal = rest
            .get(..3)
            .filter(|_| *first == b'\\')
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        text.push(octal.unwrap_or(*first));
        field = if octal.is_some() { &rest[3..] } else { rest };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grants::Grants;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn a_mount_beneath_a_grant_is_found_whatever_its_name_and_one_beside_it_is_not() {
        let table = b"36 35 98:0 / /srv/data/a\\040b rw - ext4 /dev/x rw\n\
                      37 35 98:0 / /srv/data-not rw - ext4 /dev/x rw\n";
        let mounts = mount_points(table);
        assert_eq!(mounts[0].as_os_str().as_bytes(), b"/srv/data/a b");
        let found = |grants: Grants| beneath(&grants.storage, &mounts);
        let (grant, mount) = found(Grants::default().read("/srv/data")).unwrap();
        assert_eq!((grant, mount), ("/srv/data".into(), "/srv/data/a b".into()));
        assert_eq!(found(Grants::default().read("/srv/data/c")), None);
        let named = Grants::default().read("/srv/data").read("/srv/data/a b");
        assert_eq!(found(named), None);
    }

    #[test]
    fn a_grant_with_a_mount_of_this_host_inside_is_refused_and_the_mount_itself_is_not() {
        match refuse_beneath(&Grants::default().read("/").storage) {
            Err(Refusal::Mounted { grant, mount }) => {
                assert_eq!(grant, Path::new("/"));
                assert!(mount.is_absolute() && mount != grant);
            }
            other => panic!("{other:?}"),
        }
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        refuse_beneath(&Grants::default().read(base).storage).unwrap();
        refuse_beneath(&[]).unwrap();
    }
}
