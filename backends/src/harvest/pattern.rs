//! A harvest's pattern: which paths below a run directory the host wants. It is the host's list of what is
//! deliverable, so a name that tools act on is taken only where the pattern spells it.

use std::ffi::CString;
use std::iter::once;
use std::str::FromStr;

/// Parts of a pattern at most.
const PARTS: usize = 32;

/// Names that programs of the host act on when they find them in a folder. They are matched whatever the
/// case of their letters; names that begin with a dot count among them.
const ACTED_ON: [&str; 22] = [
    "agents.md",
    "build.rs",
    "cargo.toml",
    "claude.md",
    "conftest.py",
    "containerfile",
    "desktop.ini",
    "dockerfile",
    "gemini.md",
    "gnumakefile",
    "justfile",
    "makefile",
    "noxfile.py",
    "package.json",
    "pyproject.toml",
    "pytest.ini",
    "pyvenv.cfg",
    "setup.cfg",
    "setup.py",
    "sitecustomize.py",
    "tox.ini",
    "usercustomize.py",
];

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It is empty, or a part between two slashes is.
    #[error(
        "pattern {pattern:?} has an empty part: it is relative, without `//` and without `/` at its ends"
    )]
    EmptyPart {
        /// The pattern.
        pattern: String,
    },
    /// It leads out of the run directory, or nowhere.
    #[error("pattern {pattern:?} holds `.` or `..` as a part")]
    Dots {
        /// The pattern.
        pattern: String,
    },
    /// `**` stands within a part.
    #[error(
        "pattern {pattern:?} holds `**` beside other characters: it stands for whole directories"
    )]
    Stars {
        /// The pattern.
        pattern: String,
    },
    /// It holds a NUL byte.
    #[error("pattern {pattern:?} holds a NUL byte")]
    Nul {
        /// The pattern.
        pattern: String,
    },
    /// It has too many parts.
    #[error("pattern {pattern:?} has more than {PARTS} parts")]
    TooLong {
        /// The pattern.
        pattern: String,
    },
}

/// A relative path whose parts may hold `*` (any text) and `?` (one character); the part `**` stands for
/// any number of directories, also none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    AnyDepth,
    Literal(String),
    Wild(Vec<char>),
}

/// How much of a pattern a path has used up: a set of positions in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position(u64);

/// What one more name on a path comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The path may lie above a match.
    pub(super) position: Option<Position>,
    /// The path is a match.
    pub(super) matches: bool,
    /// The name would have fitted, but tools act on it and the pattern does not spell it.
    pub(super) acted_on: bool,
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let pattern = || text.to_owned();
        let mut parts = Vec::new();
        if text.contains('\0') {
            return Err(PatternError::Nul { pattern: pattern() });
        }
        for part in text.split('/') {
            parts.push(match part {
                "" => return Err(PatternError::EmptyPart { pattern: pattern() }),
                "." | ".." => return Err(PatternError::Dots { pattern: pattern() }),
                "**" => Part::AnyDepth,
                stars if stars.contains("**") => {
                    return Err(PatternError::Stars { pattern: pattern() });
                }
                wild if wild.contains(['*', '?']) => Part::Wild(wild.chars().collect()),
                literal => Part::Literal(literal.to_owned()),
            });
        }
        if parts.len() > PARTS {
            return Err(PatternError::TooLong { pattern: pattern() });
        }
        Ok(Self { text: pattern(), parts })
    }
}

impl Pattern {
    /// The pattern as the host wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Before the first name.
    pub(super) fn start(&self) -> Position {
        self.closure(1)
    }

    /// The only names that can come next, where the pattern spells them all.
    pub(super) fn spelled(&self, from: Position) -> Option<Vec<CString>> {
        let next = self.parts.iter().enumerate().filter(|(index, _)| from.0 & (1 << index) != 0);
        next.map(|(_, part)| match part {
            Part::Literal(name) => CString::new(name.as_str()).ok(),
            Part::Wild(_) | Part::AnyDepth => None,
        })
        .collect()
    }

    /// After one more name.
    pub(super) fn step(&self, from: Position, name: &[u8]) -> Step {
        let name = String::from_utf8_lossy(name);
        let spelled = self.advance(from, &name, true);
        let fitting = self.advance(from, &name, false);
        let acted_on = is_acted_on(&name);
        let reached = if acted_on { spelled } else { fitting };
        let end = 1 << self.parts.len();
        Step {
            position: (reached.0 & (end - 1) != 0).then_some(reached),
            matches: reached.0 & end != 0,
            acted_on: acted_on && fitting.0 != 0 && spelled.0 == 0,
        }
    }

    fn advance(&self, from: Position, name: &str, only_spelled: bool) -> Position {
        let mut to = 0;
        for (index, part) in self.parts.iter().enumerate() {
            if from.0 & (1 << index) == 0 {
                continue;
            }
            to |= match part {
                Part::Literal(literal) if literal == name => 1 << (index + 1),
                Part::Wild(wild) if !only_spelled && fits(wild, name) => 1 << (index + 1),
                Part::AnyDepth if !only_spelled => 1 << index,
                Part::Literal(_) | Part::Wild(_) | Part::AnyDepth => 0,
            };
        }
        self.closure(to)
    }

    /// The same positions and those behind a `**` that stands for nothing. A pattern that ends in `**`
    /// takes everything beneath, so its end is reached too.
    fn closure(&self, mut positions: u64) -> Position {
        for (index, part) in self.parts.iter().enumerate() {
            if *part == Part::AnyDepth && positions & (1 << index) != 0 {
                positions |= 1 << (index + 1);
            }
        }
        Position(positions)
    }
}

fn is_acted_on(name: &str) -> bool {
    let lower = name.to_lowercase();
    name.starts_with('.') || lower.ends_with(".pth") || ACTED_ON.contains(&lower.as_str())
}

/// Whether a name fits a part with `*` and `?`, in time that grows with the product of their lengths.
fn fits(part: &[char], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    // Which beginnings of the name, by their length, fit the part so far.
    let mut fitting: Vec<bool> = once(true).chain(name.iter().map(|_| false)).collect();
    for wanted in part {
        fitting = if *wanted == '*' {
            // Whatever is as long as a beginning that fits, or longer.
            let first = fitting.iter().position(|fits| *fits);
            (0..fitting.len()).map(|length| first.is_some_and(|first| first <= length)).collect()
        } else {
            let letter_fits = |letter: &char| *wanted == '?' || wanted == letter;
            let one_more =
                fitting.iter().zip(&name).map(|(fits, letter)| *fits && letter_fits(letter));
            once(false).chain(one_more).collect()
        };
    }
    fitting.last() == Some(&true)
}

#[cfg(test)]
mod tests;
