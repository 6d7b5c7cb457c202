//! An access is allowed by the running sandbox if and only if the policy says so: thousands of accesses
//! by one confined program, for each of many generated sets of grants.

use super::*;
use backends::grants::{Access, Storage};
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;
use std::os::unix::fs::{MetadataExt, symlink};

/// Names of which each is the beginning of another or nearly so.
const NAMES: [&str; 4] = ["a", "ab", "a-b", "b"];

/// A tree of directories with files, symbolic links and hard links between them.
struct Tree {
    place: Place,
    directories: Vec<PathBuf>,
    files: Vec<PathBuf>,
    links: Vec<PathBuf>,
}

impl Tree {
    fn new() -> Self {
        let place = Place::new();
        let (mut directories, mut files) = (vec![place.path("tree")], Vec::new());
        fs::create_dir(place.path("tree")).unwrap();
        for depth in 1..=3 {
            for parent in directories.clone() {
                if parent.strip_prefix(place.path("tree")).unwrap().iter().count() + 1 == depth {
                    directories.extend(NAMES.map(|name| parent.join(name)));
                }
            }
        }
        for directory in &directories {
            fs::create_dir_all(directory).unwrap();
            files.push(directory.join("file"));
            fs::write(directory.join("file"), "file").unwrap();
        }
        Self { place, directories, files, links: Vec::new() }
    }

    /// Adds symbolic links to files and directories, and hard links to files, anywhere.
    fn link(&mut self, links: &[(Index, Index, u8)]) {
        for (number, (at, to, kind)) in links.iter().enumerate() {
            let name = at.get(&self.directories).join(format!("link{number}"));
            match kind {
                0 => symlink(to.get(&self.files), &name).unwrap(),
                1 => symlink(to.get(&self.directories), &name).unwrap(),
                _ => fs::hard_link(to.get(&self.files), &name).unwrap(),
            }
            self.links.push(name);
        }
    }

    fn grants(&self, chosen: &[(Index, bool, bool)]) -> Grants {
        let storage = chosen.iter().map(|(index, is_file, is_write)| Storage {
            path: index.get(if *is_file { &self.files } else { &self.directories }).clone(),
            access: if *is_write { Access::Write } else { Access::Read },
        });
        Grants { storage: storage.collect(), shared_files: true, ..Grants::default() }
    }
}

/// What the grants say, path by path, told from the data and the tree alone.
struct Model<'a>(&'a Grants);

impl Model<'_> {
    /// Whether a real path may be read, or written: it lies in a granted directory, or it is a granted
    /// file under whatever name.
    fn allows(&self, real: &Path, write: bool) -> bool {
        self.0.storage.iter().any(|storage| {
            let inode = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
            let covers = if storage.path.is_dir() {
                real.starts_with(&storage.path)
            } else {
                inode(real).unwrap() == inode(&storage.path).unwrap()
            };
            covers && (storage.access == Access::Write || !write)
        })
    }

    /// Whether a place that is to be read only could be written all the same, so that the set is refused.
    fn contradicts(&self) -> bool {
        let is_written = |path: &Path| self.allows(path, true);
        let written: BTreeSet<&Path> = self.paths(Access::Write).collect();
        self.paths(Access::Read).any(|path| is_written(path) && !written.contains(path))
    }

    fn paths(&self, access: Access) -> impl Iterator<Item = &Path> {
        let storage = self.0.storage.iter().filter(move |storage| storage.access == access);
        storage.map(|storage| storage.path.as_path())
    }
}

/// An access, and whether the model allows it.
struct Attempt {
    what: String,
    call: usize,
    allowed: bool,
}

/// The accesses of one program. Each open is closed again, so that descriptors do not run out.
struct Script<'a> {
    tape: Tape,
    model: Model<'a>,
    accesses: Vec<Attempt>,
}

impl Script<'_> {
    fn open(&mut self, spelled: &str, flags: i32, real: &Path, write: bool) {
        let call = self.tape.open(spelled.as_bytes(), flags);
        self.tape.call(libc::SYS_close, [3, 0, 0, 0, 0, 0]);
        let allowed = self.model.allows(real, write);
        self.accesses.push(Attempt { what: format!("open {spelled} {flags:#x}"), call, allowed });
    }

    /// A call that makes a name in a directory.
    fn make(&mut self, number: i64, directory: &Path, name: &str) {
        let here = i64::from(libc::AT_FDCWD).cast_unsigned();
        let path = self.tape.data(directory.join(name).as_os_str().as_encoded_bytes());
        let target = self.tape.data(b"target");
        let arguments = match number {
            libc::SYS_symlinkat => [target, here, path, 0, 0, 0],
            _ => [here, path, 0o755, 0, 0, 0],
        };
        let call = self.tape.call(number, arguments);
        let allowed = self.model.allows(directory, true);
        self.accesses.push(Attempt { what: format!("{number} in {directory:?}"), call, allowed });
    }

    /// A hard link from a file into a directory: both ends must be writable directories.
    fn hard_link(&mut self, from: &Path, directory: &Path, name: &str) {
        let here = i64::from(libc::AT_FDCWD).cast_unsigned();
        let path = self.tape.data(from.as_os_str().as_encoded_bytes());
        let to = self.tape.data(directory.join(name).as_os_str().as_encoded_bytes());
        let call = self.tape.call(libc::SYS_linkat, [here, path, here, to, 0, 0]);
        let allowed =
            self.model.allows(directory, true) && self.model.allows(from.parent().unwrap(), true);
        self.accesses.push(Attempt { what: format!("link {from:?} {directory:?}"), call, allowed });
    }

    fn write(mut self, tree: &Tree) -> (Tape, Vec<Attempt>) {
        const CREATE: i32 = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
        let tree_path = tree.place.path("tree");
        self.tape.call(libc::SYS_close_range, [3, u64::from(u32::MAX), 0, 0, 0, 0]);
        for path in tree.files.iter().chain(&tree.links) {
            let real = path.canonicalize().unwrap();
            if real.is_dir() {
                continue;
            }
            let beneath = path.strip_prefix(&tree_path).unwrap().display().to_string();
            for spelled in spellings(&tree_path, &beneath) {
                self.open(&spelled, libc::O_RDONLY, &real, false);
                self.open(&spelled, libc::O_WRONLY, &real, true);
                self.open(&spelled, libc::O_RDWR | libc::O_APPEND, &real, true);
                self.open(&spelled, libc::O_RDONLY | libc::O_TRUNC, &real, true);
            }
        }
        let directories = tree.directories.iter().chain(tree.links.iter().filter(|l| l.is_dir()));
        for (number, path) in directories.enumerate() {
            let real = path.canonicalize().unwrap();
            let beneath = path.strip_prefix(&tree_path).unwrap().display().to_string();
            for spelled in spellings(&tree_path, &beneath) {
                self.open(&spelled, libc::O_RDONLY | libc::O_DIRECTORY, &real, false);
            }
            self.open(&format!("{}/made{number}", path.display()), CREATE, &real, true);
            self.make(libc::SYS_mkdirat, &real, &format!("directory{number}"));
            self.make(libc::SYS_symlinkat, &real, &format!("symbolic{number}"));
            let from = &tree.files[number * 7 % tree.files.len()];
            self.hard_link(from, &real, &format!("hard{number}"));
        }
        self.tape.report();
        self.tape.exit();
        (self.tape, self.accesses)
    }
}

/// Ways to spell a path in the tree, one of them from the run directory.
fn spellings(tree: &Path, beneath: &str) -> [String; 4] {
    let tree = tree.display();
    [
        format!("{tree}/{beneath}"),
        format!("../tree/{beneath}"),
        format!("{tree}/a/../{beneath}"),
        format!("{tree}//./{beneath}"),
    ]
}

/// Grants that are wanted: a file or a directory, to read or to write.
fn grants() -> impl Strategy<Value = Vec<(Index, bool, bool)>> {
    proptest::collection::vec((any::<Index>(), any::<bool>(), any::<bool>()), 0..7)
}

fn links() -> impl Strategy<Value = Vec<(Index, Index, u8)>> {
    proptest::collection::vec((any::<Index>(), any::<Index>(), 0u8..3), 12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_access_is_allowed_if_and_only_if_the_grants_say_so(chosen in grants(), links in links()) {
        let mut tree = Tree::new();
        tree.link(&links);
        let grants = tree.grants(&chosen);
        let model = Model(&grants);
        let contradicts = model.contradicts();
        let script = Script { tape: Tape::default(), model, accesses: Vec::new() };
        let (tape, accesses) = script.write(&tree);
        let policy = tree.place.policy(&grants, &tape);
        prop_assert_eq!(policy.is_err(), contradicts, "{:?} {:?}", grants, policy);
        let Ok(policy) = policy else { return Ok(()) };
        let answers = finish(tree.place.launch(&*native().prepare(&policy).unwrap()));
        prop_assert!(accesses.len() > 2_000);
        for access in accesses {
            let answer = answers[access.call];
            let denied = answer == DENIED || answer == -i64::from(libc::EXDEV);
            prop_assert!(if access.allowed { answer >= 0 } else { denied }, "{} answered {answer}, allowed {}, {grants:?}", access.what, access.allowed);
        }
    }
}
