//! The words of a program: names of decoys, of places and their spellings, of what the program made.

use super::calls::{Argument, sockets_fitting};
use std::fmt;

/// One word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Word {
    /// A name.
    Name(&'static str),
    /// A path.
    Place {
        /// What it leads to.
        object: &'static str,
        /// By which text.
        spelling: &'static str,
    },
}

/// Something that a path can lead to.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// Its name in a program.
    pub name: &'static str,
    /// The clue at which it begins, or nothing for what is the program's own.
    pub clue: Option<&'static str>,
    /// What follows.
    pub rest: &'static str,
    /// What kind of thing it is. Holes are told apart by it.
    pub class: &'static str,
}

const fn outside(
    name: &'static str,
    clue: &'static str,
    rest: &'static str,
    class: &'static str,
) -> Object {
    Object { name, clue: Some(clue), rest, class }
}

const fn own(name: &'static str, rest: &'static str) -> Object {
    Object { name, clue: None, rest, class: "" }
}

/// Every object. The first is the simplest.
pub const OBJECTS: &[Object] = &[
    outside("secret", "secret", "", "file"),
    outside("writable", "writable", "", "file"),
    outside("script", "script", "", "file"),
    outside("attributed", "attributed", "", "file"),
    outside("git-config", "repo", "/.git/config", "file"),
    outside("report", "deliverables", "/report.txt", "file"),
    outside("outside", "outside", "", "directory"),
    outside("repo", "repo", "", "directory"),
    outside("refs", "repo", "/.git/refs", "directory"),
    outside("listing", "listing", "", "directory"),
    outside("planted", "outside", "/planted", "new name"),
    outside("hook", "repo", "/.git/hooks/pre-commit", "new name"),
    outside("delivered", "deliverables", "/planted", "new name"),
    outside("shared-memory", "shm-path", "", "shared memory"),
    outside("new-shared-memory", "shm-new", "", "shared memory"),
    outside("victim-environment", "victim-folder", "/environ", "process"),
    outside("victim-descriptor", "victim-folder", "/fd/{victim-fd}", "process"),
    outside("victim-sacrifice", "victim-folder", "/oom_score_adj", "process"),
    outside("own-environment", "own-folder", "/environ", "own environment"),
    own("own", ""),
    own("a", "/a"),
    own("b", "/b"),
    own("below-a", "/a/secret"),
    own("new-below-a", "/a/planted"),
    own("neighbour", "/../neighbour"),
];

/// The object of this name.
pub fn object(name: &str) -> Option<&'static Object> {
    OBJECTS.iter().find(|object| object.name == name)
}

/// Spellings of a path. The first is the simplest.
pub const SPELLINGS: &[&str] = &[
    "absolute",
    // Through the run directory and up again.
    "dotted",
    // From the working directory.
    "climbing",
    // The rest below the directory outside, for a descriptor of that.
    "beneath",
    "slashes",
    "own-root",
    "thread-root",
    "own-directory",
    "victim-root",
];

/// What a program calls the descriptor that it made last. Others are counted from the first.
pub const LAST: &str = "last";

/// Descriptors.
pub const DESCRIPTORS: &[&str] = &[
    LAST,
    "made-0",
    "made-1",
    "made-2",
    "inherited-secret",
    "inherited-secret-high",
    "inherited-write",
    "inherited-directory",
    "inherited-path-fd",
    "inherited-pipe-read",
    "inherited-pipe-write",
    "inherited-socket",
    "inherited-listener",
];

/// The working directory, where a descriptor of a directory may stand.
pub const WORKING: &str = "working";

/// What a program can try to become. Nothing else of the system is ever named.
pub const PROGRAMS: &[&str] = &["shell", "script", "a"];

/// The words that may stand for an argument.
pub fn words_for(argument: &Argument) -> Vec<Word> {
    let names = |names: &[&'static str]| names.iter().copied().map(Word::Name).collect();
    match argument {
        Argument::Fixed(_) => Vec::new(),
        Argument::Choice(choices) => choices.iter().map(|(name, _)| Word::Name(name)).collect(),
        Argument::Descriptor => names(DESCRIPTORS),
        Argument::Directory => {
            std::iter::once(WORKING).chain(DESCRIPTORS.iter().copied()).map(Word::Name).collect()
        }
        Argument::Place => OBJECTS
            .iter()
            .flat_map(|object| {
                let name = object.name;
                let place = move |spelling: &&'static str| Word::Place { object: name, spelling };
                SPELLINGS.iter().map(place)
            })
            .collect(),
        Argument::Address => sockets_fitting().map(|(name, ..)| Word::Name(name)).collect(),
        Argument::Program => names(PROGRAMS),
    }
}

impl fmt::Display for Word {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => formatter.write_str(name),
            Self::Place { object, spelling } => write!(formatter, "{object}:{spelling}"),
        }
    }
}
