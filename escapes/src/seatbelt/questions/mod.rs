//! What each escape needs of macOS, escape by escape or file by file of the catalogue. The longest
//! pattern that fits an id is its entry; a family without an entry of its own has its escapes one by one,
//! so that a new one without an answer is an error and not an assumption.

mod files;
mod mac;
mod processes;
mod surface;

use super::scenario::execute;
use backends::macos::access::Access;
use backends::macos::evaluate::{Evaluator, Refused};
use backends::macos::lower::PROGRAM;
use backends::macos::operation::Action;

/// What holds an escape on macOS.
#[derive(Clone, Debug)]
pub enum Question {
    /// It needs all of these accesses, and the profile is asked for each.
    Needs(Vec<Access>),
    /// It is the program's own image that is executed again, whichever that is.
    Again,
    /// It lives on what the launcher left open or unsaid; the stage of the launch leaves nothing, which
    /// no profile can say.
    Launch(&'static str),
    /// macOS has no such thing.
    Absent(&'static str),
    /// The profile does not hold it, or nobody knows whether it does: counted as not held.
    Gap(&'static str),
}

/// Why an open descriptor is of no use.
const CLOSED: &str =
    "the stage closes every descriptor but the three streams (POSIX_SPAWN_CLOEXEC_DEFAULT)";

/// What lists the mounted file systems, by number.
const GETFSSTAT64: u32 = 347;

/// One entry: an id, or the beginning of ids with a star.
pub(super) type Entry = (&'static str, fn() -> Question);

/// An answer to an escape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The profile denies one access, by the rule at this place; `None` is an operation's own denial.
    Denied {
        /// The first access that is denied.
        access: String,
        /// The rule.
        rule: Option<usize>,
    },
    /// All accesses are allowed: it gets out.
    Allowed,
    /// The stage of the launch holds it.
    Launch(&'static str),
    /// There is no such thing.
    Absent(&'static str),
    /// It is counted as not held.
    Gap(&'static str),
}

/// Every entry, in the order of the files.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    [files::ENTRIES, processes::ENTRIES, surface::ENTRIES, mac::ENTRIES].into_iter().flatten()
}

/// The entry for an escape: of all patterns that fit, the longest.
pub fn question(id: &str) -> Option<Question> {
    let fits = |pattern: &str| match pattern.strip_suffix('*') {
        Some(prefix) => id.starts_with(prefix),
        None => id == pattern,
    };
    let length = |pattern: &str| (pattern.trim_end_matches('*').len(), !pattern.ends_with('*'));
    entries()
        .filter(|(pattern, _)| fits(pattern))
        .max_by_key(|(pattern, _)| length(pattern))
        .map(|(_, question)| question())
}

impl Question {
    /// Asks the profile.
    ///
    /// # Errors
    /// When the readings of the profile differ.
    pub fn ask(&self, profile: &Evaluator) -> Result<Answer, Refused> {
        match self {
            Self::Launch(why) => Ok(Answer::Launch(why)),
            Self::Absent(why) => Ok(Answer::Absent(why)),
            Self::Gap(why) => Ok(Answer::Gap(why)),
            Self::Needs(accesses) => first_denied(profile, accesses),
            Self::Again => {
                first_denied(profile, &[execute(profile.value(PROGRAM).unwrap_or_default())])
            }
        }
    }
}

fn first_denied(profile: &Evaluator, accesses: &[Access]) -> Result<Answer, Refused> {
    for access in accesses {
        let decision = profile.decide(access)?;
        if decision.action == Action::Deny {
            let access = access.to_string();
            return Ok(Answer::Denied { access, rule: decision.rule });
        }
    }
    Ok(Answer::Allowed)
}
