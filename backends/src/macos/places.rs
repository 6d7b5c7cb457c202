//! The paths of a policy as a profile takes them: spelt as the kernel spells them, for Seatbelt compares
//! the *resolved* path of an access with the text of a rule as it stands. A rule in another spelling
//! matches nothing, so an allowance would silently grant nothing.

use super::profile::Profile;
use super::rules::is_beneath;
use crate::policy::{Kind, Place, Policy};

/// What a policy grants, in the form of which a profile is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    pub(super) program: Option<String>,
    pub(super) read: Vec<(Place, Kind)>,
    pub(super) write: Vec<(Place, Kind)>,
}

/// Why there is no profile for a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// A path is not the one by which the kernel knows the place.
    #[error("{path:?} is not spelt as the macOS kernel spells it: {why}")]
    Spelling {
        /// The path.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// More than one program would be executable.
    #[error("{count} files may be executed: a profile lets exactly one image be executed")]
    Programs {
        /// How many.
        count: usize,
    },
    /// The text of a program has no parameter in a profile.
    #[error("a profile cannot name the text of a program")]
    ProgramText,
    /// The run directory would be read by name of another grant.
    #[error("the run directory {run:?} lies in {place}, which is granted for reading")]
    Inside {
        /// The run directory.
        run: String,
        /// The granted place.
        place: Place,
    },
    /// The program could rewrite itself.
    #[error("the program {program:?} lies in {place}, which it may write")]
    Writable {
        /// The program.
        program: String,
        /// The granted place.
        place: Place,
    },
}

/// Names that are links to other places on every Mac, and the alias of the data volume.
const ALIASES: [&str; 4] = ["/etc", "/tmp", "/var", "/System/Volumes/Data"];

impl Places {
    /// The places of a policy.
    ///
    /// # Errors
    /// When a path is not spelt as the kernel spells it, or the policy says what no profile can.
    pub fn of(policy: &Policy) -> Result<Self, PlaceError> {
        let execute: Vec<&Place> = policy.execute().iter().map(|grant| grant.place()).collect();
        let program = match execute.as_slice() {
            [] => None,
            [Place::Path(path)] => Some(path.clone()),
            [Place::Run | Place::Program] | [_, _, ..] => {
                return Err(PlaceError::Programs { count: execute.len() });
            }
        };
        let read = policy.read().iter().map(|grant| (grant.place().clone(), grant.kind()));
        let write = policy.write().iter().map(|grant| (grant.place().clone(), grant.kind()));
        Self::new(program, read.collect(), write.collect())
    }

    /// Checks places against each other.
    ///
    /// # Errors
    /// As [`Places::of`].
    pub fn new(
        program: Option<String>,
        read: Vec<(Place, Kind)>,
        write: Vec<(Place, Kind)>,
    ) -> Result<Self, PlaceError> {
        for (place, _) in read.iter().chain(&write) {
            match place {
                Place::Path(path) => spelling(path)?,
                Place::Program => return Err(PlaceError::ProgramText),
                Place::Run => {}
            }
        }
        if let Some(program) = &program {
            spelling(program)?;
            for (place, _) in &write {
                if let Place::Path(path) = place {
                    not_inside(program, path, place)?;
                }
            }
        }
        Ok(Self { program, read, write })
    }

    /// The profile for these places.
    pub fn profile(&self) -> Profile {
        super::lower::lower(self)
    }

    /// Whether a path lies in a directory that may be read, or is it.
    pub(super) fn reads(&self, path: &str) -> bool {
        self.read.iter().any(|(place, kind)| {
            let Place::Path(directory) = place else { return false };
            *kind == Kind::Directory && is_beneath(path, directory)
        })
    }

    /// Whether a path lies below a directory that may be read.
    pub(super) fn reads_above(&self, path: &str) -> bool {
        path.rsplit_once('/').is_some_and(|(above, _)| self.reads(above))
    }
}

/// Refuses a program that lies in a place that may be written.
pub(super) fn not_inside(program: &str, path: &str, place: &Place) -> Result<(), PlaceError> {
    if is_beneath(program, path) {
        return Err(PlaceError::Writable { program: program.to_owned(), place: place.clone() });
    }
    Ok(())
}

/// Refuses what the kernel would spell differently. Whether the path exists, and is the one that
/// `F_GETPATH` gives, is looked up by the launch.
pub(super) fn spelling(path: &str) -> Result<(), PlaceError> {
    let wrong = |why| Err(PlaceError::Spelling { path: path.to_owned(), why });
    let Some(rest) = path.strip_prefix('/') else { return wrong("it is relative") };
    if path.contains('\0') {
        return wrong("it holds a NUL byte");
    }
    if rest.is_empty() {
        return wrong("it is the root directory");
    }
    for component in rest.split('/') {
        match component {
            "" => return wrong("it holds an empty name"),
            "." | ".." => return wrong("it holds a name that is no name"),
            _ => {}
        }
    }
    if ALIASES.iter().any(|alias| is_beneath(path, alias)) {
        return wrong("it goes through a name that is a link or alias on every Mac");
    }
    Ok(())
}
