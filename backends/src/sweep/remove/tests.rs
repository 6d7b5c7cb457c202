//! The trees that defeat an ordinary clean-up are removed, and what they lead to stays.

use super::*;
use rustix::fs::{CWD, mkdirat, openat};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::PathBuf;

fn tree() -> (tempfile::TempDir, PathBuf) {
    let base = tempfile::tempdir().unwrap();
    let tree = base.path().join("tree");
    fs::create_dir(&tree).unwrap();
    (base, tree)
}

fn remove(base: &tempfile::TempDir) -> Vec<String> {
    let base = fs::File::open(base.path()).unwrap();
    remove_tree(&base, c"tree").findings()
}

#[test]
fn closed_directories_fifos_and_links_are_removed_and_targets_stay() {
    let (base, tree) = tree();
    let precious = base.path().join("precious");
    fs::create_dir_all(tree.join("closed/inner")).unwrap();
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("file"), "").unwrap();
    fs::set_permissions(&precious, Permissions::from_mode(0o500)).unwrap();
    symlink(&precious, tree.join("closed/inner/link")).unwrap();
    symlink(".", tree.join("loop")).unwrap();
    rustix::fs::mkfifoat(CWD, tree.join("closed/fifo"), Mode::RWXU).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(tree.join("socket")).unwrap();
    fs::set_permissions(tree.join("closed/inner"), Permissions::from_mode(0o0)).unwrap();
    fs::set_permissions(tree.join("closed"), Permissions::from_mode(0o0)).unwrap();
    assert_eq!(remove(&base), [""; 0]);
    assert!(!tree.exists());
    assert!(precious.join("file").exists());
    assert_eq!(fs::metadata(&precious).unwrap().mode() & 0o777, 0o500);
}

#[test]
fn thousands_of_levels_and_names_that_are_no_text_are_removed() {
    let (base, tree) = tree();
    let mut level: OwnedFd = fs::File::open(&tree).unwrap().into();
    for _ in 0..4000 {
        mkdirat(&level, "d", Mode::RWXU).unwrap();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        level = openat(&level, "d", flags, Mode::empty()).unwrap();
    }
    drop(level);
    let long = [b'n'; 255];
    let moved = format!("{MOVED}1");
    for name in [&b"\xff\xfe"[..], b"-rf", b"a\nb", b"\x1b[2J", b" ", &long, moved.as_bytes()] {
        fs::create_dir_all(tree.join(OsStr::from_bytes(name)).join("x/y")).unwrap();
    }
    assert_eq!(remove(&base), [""; 0]);
    assert!(!tree.exists());
}

#[test]
fn a_wide_tree_is_removed_without_a_list_of_its_names() {
    let (base, tree) = tree();
    for folder in 0..20 {
        fs::create_dir(tree.join(folder.to_string())).unwrap();
        for file in 0..1000 {
            fs::write(tree.join(format!("{folder}/{file}")), "").unwrap();
        }
    }
    assert_eq!(remove(&base), [""; 0]);
    assert!(!tree.exists());
}

#[test]
fn an_immutable_file_in_an_immutable_directory_is_removed() {
    let (base, tree) = tree();
    fs::create_dir(tree.join("bolted")).unwrap();
    fs::write(tree.join("bolted/file"), "").unwrap();
    let mut bolted = true;
    for path in ["bolted/file", "bolted"] {
        let file = fs::File::open(tree.join(path)).unwrap();
        // Without CAP_LINUX_IMMUTABLE nobody can make one, and then an ordinary file must go too.
        bolted &= ioctl_setflags(&file, IFlags::IMMUTABLE).is_ok();
    }
    assert_eq!(fs::remove_dir_all(tree.join("bolted")).is_err(), bolted);
    if !bolted {
        fs::create_dir_all(tree.join("bolted")).unwrap();
    }
    assert_eq!(remove(&base), [""; 0]);
    assert!(!tree.exists());
}

#[test]
fn what_stays_is_named_and_what_is_not_there_is_no_finding() {
    let base = tempfile::tempdir().unwrap();
    assert_eq!(remove(&base), [""; 0]);
    fs::write(base.path().join("tree"), "").unwrap();
    assert_eq!(remove(&base).len(), 1);
    assert!(base.path().join("tree").exists());
}

#[test]
fn a_link_in_the_place_of_a_tree_is_not_followed() {
    let (base, tree) = tree();
    fs::write(tree.join("file"), "").unwrap();
    fs::rename(&tree, base.path().join("precious")).unwrap();
    symlink("precious", &tree).unwrap();
    assert_eq!(remove(&base).len(), 1);
    assert!(base.path().join("precious/file").exists());
}
