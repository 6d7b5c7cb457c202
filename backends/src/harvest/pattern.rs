//! A harvest's pattern: which paths below a run directory the host wants. It is the host's list of what is
//! deliverable, so a name that tools act on is taken only where the pattern spells it.

use std::ffi::CString;
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
            match part {
                Part::Literal(literal) if literal == name => to |= 1 << (index + 1),
                Part::Wild(wild) if !only_spelled && fits(wild, name) => to |= 1 << (index + 1),
                Part::AnyDepth if !only_spelled => to |= 1 << index,
                Part::Literal(_) | Part::Wild(_) | Part::AnyDepth => {}
            }
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
    let (mut at, mut here) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while here < name.len() {
        match part.get(at) {
            Some('*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(&wanted) if wanted == '?' || name.get(here) == Some(&wanted) => {
                at += 1;
                here += 1;
            }
            Some(_) | None => match star {
                // The last star takes one character more.
                Some((from, taken)) => {
                    star = Some((from, taken + 1));
                    at = from + 1;
                    here = taken + 1;
                }
                None => return false,
            },
        }
    }
    part.iter().skip(at).all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        let pattern: Pattern = pattern.parse().unwrap();
        let mut position = Some(pattern.start());
        let mut matches = false;
        for name in path.split('/') {
            let Some(from) = position else { return false };
            let step = pattern.step(from, name.as_bytes());
            position = step.position;
            matches = step.matches;
        }
        matches
    }

    #[test]
    fn stars_and_question_marks_stay_within_a_name_and_double_stars_do_not() {
        for (pattern, yes, no) in [
            ("a.txt", "a.txt", "b.txt"),
            ("*.txt", "a.txt", "d/a.txt"),
            ("d/*.txt", "d/a.txt", "a.txt"),
            ("?.txt", "é.txt", "ab.txt"),
            ("**/*.txt", "x/y/a.txt", "x/y/a.bin"),
            ("**/*.txt", "a.txt", "txt"),
            ("d/**", "d/x/y", "e/x"),
            ("*a*b*", "xxaxxbxx", "xxbxxaxx"),
            ("a/**/b", "a/x/y/b", "a/x/y/c"),
            ("a/**/b", "a/b", "b"),
        ] {
            assert!(matches(pattern, yes), "{pattern} {yes}");
            assert!(!matches(pattern, no), "{pattern} {no}");
        }
    }

    #[test]
    fn what_tools_act_on_is_taken_only_where_it_is_spelled() {
        for (spelled, wild, path) in [
            (".git/config", "**", ".git/config"),
            ("Makefile", "*", "Makefile"),
            ("d/conftest.py", "d/*.py", "d/conftest.py"),
            ("x.pth", "*.pth", "x.pth"),
        ] {
            assert!(matches(spelled, path), "{spelled}");
            assert!(!matches(wild, path), "{wild}");
        }
        let pattern: Pattern = "*".parse().unwrap();
        assert!(pattern.step(pattern.start(), b".envrc").acted_on);
        assert!(!pattern.step(pattern.start(), b"envrc").acted_on);
    }

    #[test]
    fn a_pattern_that_leads_out_is_none() {
        for text in ["", "/a", "a/", "a//b", "../a", "a/../b", ".", "a**", "a\0b", &"a/".repeat(40)]
        {
            assert!(text.parse::<Pattern>().is_err(), "{text:?}");
        }
        "a/b".parse::<Pattern>().unwrap();
    }

    #[test]
    fn a_pattern_made_to_be_slow_is_not() {
        let pattern = format!("{}b", "*a".repeat(120));
        assert!(!matches(&pattern, &"a".repeat(255)));
        assert!(matches(&pattern, &format!("{}b", "a".repeat(200))));
    }
}
