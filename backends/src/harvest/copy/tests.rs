//! A walk takes what matches and nothing else, up to its limits, and names what it leaves.

use super::*;
use crate::harvest::harvest;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

/// A run directory that is furnished by a list of files, each of which holds its own path.
struct Place(tempfile::TempDir);

impl Place {
    fn new(files: &[&str]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.run()).unwrap();
        for file in files {
            let path = place.run().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        place
    }

    fn run(&self) -> PathBuf {
        self.0.path().join("run")
    }

    fn take(&self, pattern: &str, limits: &HarvestLimits) -> Harvest {
        let into = self.0.path().join("into");
        let _ = fs::remove_dir_all(&into);
        harvest(&self.run(), &into, pattern, limits).unwrap()
    }

    fn all(&self, pattern: &str) -> Harvest {
        self.take(pattern, &HarvestLimits::default())
    }
}

fn names(harvest: &Harvest) -> Vec<&str> {
    harvest.files().iter().map(|file| file.name()).collect()
}

fn found(harvest: &Harvest) -> Vec<(&str, Why)> {
    harvest.findings().iter().map(|one| (one.path.as_str(), one.why.clone())).collect()
}

#[test]
fn what_matches_is_copied_whole_for_the_host_alone_in_the_order_of_its_names() {
    let place = Place::new(&["b.txt", "a.txt", "a.bin", "d/e/c.txt", "d.txt"]);
    let large = vec![b'x'; (2 << 16) + 1];
    fs::write(place.run().join("b.txt"), &large).unwrap();
    let taken = place.all("**/*.txt");
    assert_eq!(names(&taken), ["a.txt", "b.txt", "d.txt", "d/e/c.txt"]);
    assert_eq!(taken.files()[1].read().unwrap(), large);
    assert_eq!(taken.files()[1].size(), large.len() as u64);
    assert_eq!(taken.files()[3].read().unwrap(), b"d/e/c.txt");
    for file in taken.files() {
        assert_eq!(file.open().unwrap().metadata().unwrap().mode() & 0o777, 0o600);
    }
    assert!(taken.is_complete());
}

#[test]
fn what_only_lies_on_the_way_to_a_match_is_neither_taken_nor_named() {
    let place = Place::new(&["d", "e/x.txt", "e/f/x.txt"]);
    for pattern in ["d/*.txt", "d/x.txt", "*/absent.txt", "absent.txt", "e"] {
        let taken = place.all(pattern);
        assert_eq!((names(&taken), found(&taken)), (Vec::new(), Vec::new()), "{pattern}");
    }
    assert_eq!(names(&place.all("*/x.txt")), ["e/x.txt"]);
    assert_eq!(names(&place.all("d")), ["d"]);
}

#[test]
fn links_odd_names_and_names_that_tools_act_on_are_named_by_their_path() {
    let place = Place::new(&["d/good.txt", "d/-rf.txt", "d/Makefile", "-odd/x.txt"]);
    symlink("good.txt", place.run().join("d/link.txt")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, place.run().join("d/fifo.txt"), Mode::RWXU).unwrap();
    let taken = place.all("**");
    assert_eq!(names(&taken), ["d/good.txt"]);
    let mut left = found(&taken);
    left.sort_by_key(|(path, _)| *path);
    assert_eq!(
        left,
        [
            ("-odd", Why::Name(name::BadName::Dash)),
            ("d/-rf.txt", Why::Name(name::BadName::Dash)),
            ("d/Makefile", Why::ActedOn),
            ("d/fifo.txt", Why::NotAFile),
            ("d/link.txt", Why::Link),
        ]
    );
    // What does not match is not looked at, whatever it is.
    assert_eq!(found(&place.all("d/*.bin")), []);
}

#[test]
fn as_many_files_and_bytes_are_taken_as_the_limits_say_and_the_rest_is_named() {
    let place = Place::new(&["a", "b", "c"]);
    let limits = HarvestLimits::default;
    let three = place.take("*", &HarvestLimits { files: 3, bytes: 3, ..limits() });
    assert_eq!((names(&three), three.is_complete()), (vec!["a", "b", "c"], true));
    let two = place.take("*", &HarvestLimits { files: 2, ..limits() });
    assert_eq!(names(&two), ["a", "b"]);
    assert_eq!(found(&two), [("c", Why::Full { what: "files", most: 2 })]);
    // Nothing is looked at behind the limit.
    let none = place.take("*", &HarvestLimits { files: 0, ..limits() });
    assert_eq!(found(&none), [("a", Why::Full { what: "files", most: 0 })]);
    let bytes = place.take("*", &HarvestLimits { bytes: 2, ..limits() });
    assert_eq!(names(&bytes), ["a", "b"]);
    assert_eq!(found(&bytes), [("c", Why::Full { what: "bytes", most: 2 })]);
    let large = place.take("*", &HarvestLimits { file_bytes: 0, ..limits() });
    assert_eq!(found(&large)[0], ("a", Why::TooLarge { size: 1, most: 0 }));
}

#[test]
fn as_many_entries_are_looked_at_and_as_deep_as_the_limits_say() {
    let place = Place::new(&["1/2/x", "1/2/3/x", "y"]);
    let limits = HarvestLimits::default;
    let deep = place.take("**", &HarvestLimits { depth: 2, ..limits() });
    assert_eq!(names(&deep), ["1/2/x", "y"]);
    assert_eq!(found(&deep), [("1/2/3", Why::TooDeep(2))]);
    assert_eq!(names(&place.take("**", &HarvestLimits { depth: 3, ..limits() })).len(), 3);
    assert_eq!(names(&place.take("**", &HarvestLimits { depth: 0, ..limits() })), ["y"]);
    let many = Place::new(&["a", "b", "c"]);
    assert!(many.take("*", &HarvestLimits { entries: 3, ..limits() }).is_complete());
    let some = many.take("*", &HarvestLimits { entries: 2, ..limits() });
    assert_eq!(names(&some).len(), 2);
    assert_eq!(found(&some), [(".", Why::Full { what: "entries", most: 2 })]);
}

#[test]
fn findings_are_kept_up_to_a_number_and_that_there_are_more_is_one_of_them() {
    let place = Place::new(&[]);
    for link in 0..FINDINGS + 1 {
        symlink("x", place.run().join(format!("{link}"))).unwrap();
    }
    let full = place.all("*");
    assert_eq!(full.findings().len(), FINDINGS + 1);
    let (last, before) = full.findings().split_last().unwrap();
    assert!(before.iter().all(|finding| finding.why == Why::Link));
    assert_eq!(last.why, Why::Full { what: "findings", most: 256 });
    symlink("x", place.run().join("one more")).unwrap();
    assert_eq!(place.all("*").findings().len(), FINDINGS + 1);
}

#[test]
fn a_file_that_is_not_as_long_as_it_was_when_it_was_looked_at_is_left() {
    let place = Place::new(&["file"]);
    let (pattern, limits) = ("*".parse::<Pattern>().unwrap(), HarvestLimits::default());
    let into = place.0.path().join("into");
    let harvester = Harvester::new(&place.run(), &into, &pattern, &limits).unwrap();
    let copy = |size| {
        let file = File::open(place.run().join("file")).unwrap().into();
        harvester.copy(file, size).unwrap()
    };
    assert_eq!(copy(3), Err(Why::Changed));
    assert_eq!(copy(5), Err(Why::Changed));
    assert_eq!(copy(4), Ok(into.join("0")));
    assert_eq!(fs::read(into.join("0")).unwrap(), b"file");
    // A directory can be opened and not be read.
    let directory = File::open(place.run()).unwrap().into();
    assert!(matches!(
        harvester.copy(directory, 0).unwrap(),
        Err(Why::Unreadable { call: "read", .. })
    ));
}
