//! Sweeps: which roots are dead, and that nothing else is opened or removed.

use super::*;
use rustix::io::{FdFlags, fcntl_getfd};
use std::fs::{self, File};
use std::os::unix::fs::symlink;

struct Place {
    folder: tempfile::TempDir,
    base: OwnedFd,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = File::open(folder.path()).unwrap().into();
        Self { folder, base }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// A root with a file in it and the record of this process, changed.
    fn root(&self, name: &str, change: impl FnOnce(&mut Owner)) {
        fs::create_dir(self.path(name)).unwrap();
        fs::write(self.path(name).join("file"), "").unwrap();
        let mut owner = Owner::current("native").unwrap();
        change(&mut owner);
        owner.write(File::open(self.path(name)).unwrap().as_fd(), RECORD).unwrap();
    }

    fn sweep(&self, name: &CStr) -> Option<Vec<String>> {
        sweep_root(&self.base, name)
    }
}

#[test]
fn the_root_of_an_ended_owner_goes_and_that_of_a_living_or_unknown_one_stays() {
    let place = Place::new();
    place.root("dead", |owner| owner.pid = 0);
    place.root("living", |_owner| ());
    fs::create_dir(place.path("recordless")).unwrap();
    place.root("locked", |owner| owner.pid = 0);
    let lock = File::open(place.path("locked")).unwrap();
    lock.lock().unwrap();
    assert_eq!(place.sweep(c"dead"), Some(Vec::new()));
    for stays in [c"living", c"recordless", c"locked", c"absent"] {
        assert_eq!(place.sweep(stays), None, "{stays:?}");
    }
    assert!(!place.path("dead").exists());
    assert!(place.path("living/file").exists() && place.path("recordless").exists());
    drop(lock);
    assert_eq!(place.sweep(c"locked"), Some(Vec::new()));
}

#[test]
fn a_sweep_looks_at_what_is_named_like_a_root_and_at_nothing_else() {
    let place = Place::new();
    let base = place.path("base");
    let opened = Base::open(&base, &[]).unwrap();
    let inside = Place { base: File::open(&base).unwrap().into(), ..place };
    for name in ["session-dead", "other-dead"] {
        inside.root(&format!("base/{name}"), |owner| owner.pid = 0);
    }
    inside.root("base/session-living", |_owner| ());
    let gone = Swept { root: "session-dead".into(), findings: Vec::new() };
    assert_eq!(sweep(&opened).unwrap(), [gone]);
    assert!(base.join("other-dead").exists() && base.join("session-living").exists());
    assert_eq!(sweep(&opened).unwrap(), []);
}

#[test]
fn only_a_directory_of_ours_on_the_same_file_system_is_opened_and_through_no_link() {
    let place = Place::new();
    fs::create_dir(place.path("directory")).unwrap();
    fs::write(place.path("file"), "").unwrap();
    symlink("directory", place.path("link")).unwrap();
    let root = open_root(&place.base, c"directory").unwrap();
    assert!(fcntl_getfd(&root).unwrap().contains(FdFlags::CLOEXEC));
    for name in [c"file", c"link", c"absent"] {
        assert!(open_root(&place.base, name).is_none(), "{name:?}");
    }
    // A file system of its own, of whose root everybody sees an owner.
    let slash: OwnedFd = File::open("/").unwrap().into();
    assert!(open_root(&slash, c"proc").is_none());
    let other = rustix::process::Uid::from_raw(12_345);
    if rustix::fs::chownat(&place.base, "directory", Some(other), None, AtFlags::empty()).is_err() {
        // Nobody but root gives a directory away, and whoever is not root owns none of root's.
        assert!(open_root(&slash, c"etc").is_none());
        return;
    }
    assert!(open_root(&place.base, c"directory").is_none());
}

#[test]
fn a_name_that_leads_elsewhere_since_it_was_opened_is_noticed() {
    let place = Place::new();
    fs::create_dir(place.path("root")).unwrap();
    let root = open_root(&place.base, c"root").unwrap();
    assert!(names_still(&place.base, c"root", &root));
    fs::rename(place.path("root"), place.path("moved")).unwrap();
    assert!(!names_still(&place.base, c"root", &root));
    assert!(names_still(&place.base, c"moved", &root));
    fs::create_dir(place.path("root")).unwrap();
    assert!(!names_still(&place.base, c"root", &root));
    fs::remove_dir(place.path("root")).unwrap();
    symlink("moved", place.path("root")).unwrap();
    assert!(!names_still(&place.base, c"root", &root));
}

#[test]
fn a_root_without_a_readable_record_is_dead_after_a_day_without_a_change() {
    const DAY: i64 = 86_400;
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(100 * DAY as u64);
    for unreadable in [
        RecordError::NotAFile,
        RecordError::Parse(serde_json::from_str::<Owner>("{").unwrap_err()),
        RecordError::Call { call: "openat2", source: io::ErrorKind::NotFound.into() },
    ] {
        let record = Err(unreadable);
        for (changed, dead) in [
            (0, true),
            (99 * DAY - 1, true),
            (99 * DAY, false),
            (100 * DAY, false),
            // The future, and a time before 1970, are no age.
            (101 * DAY, false),
            (102 * DAY, false),
            (-1, false),
            (i64::MIN, false),
            (i64::MAX, false),
        ] {
            assert_eq!(is_dead(&record, changed, now), dead, "{changed} {record:?}");
        }
    }
}

#[test]
fn the_owner_alone_decides_of_a_root_with_a_record_whatever_its_age() {
    let living = Owner::current("native").unwrap();
    let ended = Owner { pid: 0, ..living.clone() };
    let now = SystemTime::now();
    for changed in [0, i64::MAX] {
        assert!(is_dead(&Ok(ended.clone()), changed, now));
        assert!(!is_dead(&Ok(living.clone()), changed, now));
    }
}
