//! A program of the search: a list of operations, and its text, one operation a line.

use super::calls::{self, Argument, Call, Fixed, Gives, Shows};
use super::words::{LAST, Word, object, words_for};
use std::fmt;

/// One call with its words.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The call.
    pub call: &'static Call,
    /// One word for each argument that is not fixed.
    pub words: Vec<Word>,
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        self.call.name == other.call.name && self.words == other.words
    }
}

impl Eq for Operation {}

/// A list of operations, done one after the other, whatever came of those before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program(pub Vec<Operation>);

/// Why a text is not a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Nobody knows the call.
    #[error("line {line}: unknown call {call:?}")]
    Call {
        /// Which line, from 1.
        line: usize,
        /// The word in the call's place.
        call: String,
    },
    /// A word that cannot stand where it does.
    #[error("line {line}: {word:?} cannot be an argument of {call}")]
    Word {
        /// Which line, from 1.
        line: usize,
        /// The call.
        call: &'static str,
        /// The word; empty where one is missing.
        word: String,
    },
}

impl Operation {
    /// The arguments that are not fixed, with their words.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static Argument, Word)> {
        self.call.open_arguments().zip(self.words.iter().copied())
    }

    /// What it names that is outside the policy, if it names anything: the kind of thing.
    pub fn reaches(&self) -> Option<&'static str> {
        self.arguments().find_map(|(argument, word)| reached(argument, word)).or_else(|| {
            let mut fixed = self.call.arguments.iter().filter_map(|argument| {
                if let Argument::Fixed(fixed) = argument { Some(*fixed) } else { None }
            });
            fixed.find_map(|fixed| match fixed {
                Fixed::Clue("victim") => Some("victim"),
                Fixed::Clue(_) | Fixed::Text(_) => Some("object"),
                Fixed::Constant(_)
                | Fixed::Buffer
                | Fixed::Literal(_)
                | Fixed::Words(_)
                | Fixed::Vector
                | Fixed::VictimVector
                | Fixed::VictimByte
                | Fixed::AddressLength
                | Fixed::Message
                | Fixed::Own
                | Fixed::Executable
                | Fixed::ExecutableLength
                | Fixed::Vectors
                | Fixed::Latest(_) => None,
            })
        })
    }

    /// Whether it may be an effect by itself: it reaches something, starts a process or holds an object.
    pub fn decides(&self) -> bool {
        self.reaches().is_some()
            || !matches!(self.call.shows, Shows::Nothing)
            || matches!(self.call.gives, Gives::Process)
            || self.call.name == "environment"
    }

    /// What it does, for telling holes apart: the call, the first constant that was chosen, and the
    /// kind of thing that it reaches.
    pub fn label(&self) -> String {
        let choice = self.arguments().find_map(|(argument, word)| match (argument, word) {
            (Argument::Choice(_), Word::Name(name)) => Some(name),
            _other => None,
        });
        let mut label = self.call.name.to_owned();
        for part in choice.into_iter().chain(self.reaches()) {
            label.push(' ');
            label.push_str(part);
        }
        label
    }

    fn parse(line: usize, text: &str) -> Result<Self, ParseError> {
        let mut tokens = text.split_whitespace();
        let name = tokens.next().unwrap_or_default();
        let call =
            calls::named(name).ok_or_else(|| ParseError::Call { line, call: name.to_owned() })?;
        let wrong = |word: &str| ParseError::Word { line, call: call.name, word: word.to_owned() };
        let mut words = Vec::new();
        for argument in call.open_arguments() {
            let token = tokens.next().unwrap_or_default();
            let word = words_for(argument).into_iter().find(|word| word.to_string() == token);
            words.push(word.ok_or_else(|| wrong(token))?);
        }
        match tokens.next() {
            None => Ok(Self { call, words }),
            Some(token) => Err(wrong(token)),
        }
    }
}

/// The kind of thing outside that a word names.
fn reached(argument: &Argument, word: Word) -> Option<&'static str> {
    match (argument, word) {
        (Argument::Place, Word::Place { object: name, .. }) => {
            object(name).map(|object| object.class).filter(|class| !class.is_empty())
        }
        (Argument::Descriptor | Argument::Directory, Word::Name(name)) => {
            name.starts_with("inherited-").then_some(name)
        }
        (Argument::Address, Word::Name(name)) => Some(name),
        (Argument::Program, Word::Name(name)) => Some(name),
        _other => None,
    }
}

impl Program {
    /// Reads programs: an empty line ends one.
    ///
    /// # Errors
    /// At the first line that is no operation.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, ParseError> {
        let mut programs = vec![Self::default()];
        for (number, line) in text.lines().enumerate() {
            match (line.trim(), programs.last_mut()) {
                ("", Some(last)) if !last.0.is_empty() => programs.push(Self::default()),
                ("", _) | (_, None) => {}
                (line, Some(last)) => last.0.push(Operation::parse(number + 1, line)?),
            }
        }
        programs.retain(|program| !program.0.is_empty());
        Ok(programs)
    }

    /// The operation that decides: the first that reaches something outside, else the first that may be
    /// an effect by itself, else the last.
    pub fn deciding(&self) -> Option<&Operation> {
        let reaching = self.0.iter().find(|operation| operation.reaches().is_some());
        let deciding = reaching.or_else(|| self.0.iter().find(|operation| operation.decides()));
        deciding.or(self.0.last())
    }

    /// The program without what is labelled so.
    #[must_use]
    pub fn without(&self, labels: &std::collections::BTreeSet<String>) -> Self {
        let kept = self.0.iter().filter(|operation| !labels.contains(&operation.label()));
        Self(kept.cloned().collect())
    }
}

/// A word for the descriptor that was made last.
pub(super) const LAST_WORD: Word = Word::Name(LAST);

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.call.name)?;
        self.words.iter().try_for_each(|word| write!(formatter, " {word}"))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|operation| writeln!(formatter, "{operation}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Program {
        Program::parse_all(text).unwrap().remove(0)
    }

    #[test]
    fn a_text_is_programs_and_back() {
        let text = "openat working secret:absolute read\nread last\n";
        assert_eq!(one(text).to_string(), text);
        let two = Program::parse_all(&format!("\n{text}\n\nkill user\n")).unwrap();
        assert_eq!(two.len(), 2);
        assert_eq!(two[1].to_string(), "kill user\n");
        assert_eq!(Program::parse_all("\n \n").unwrap(), []);
    }

    #[test]
    fn what_is_no_word_of_the_grammar_is_refused_with_its_line() {
        for (text, error) in [
            ("kill user\nreboot", "line 2: unknown call \"reboot\""),
            ("kill 1", "line 1: \"1\" cannot be an argument of kill"),
            ("kill", "line 1: \"\" cannot be an argument of kill"),
            ("kill user 1", "line 1: \"1\" cannot be an argument of kill"),
            (
                "unlinkat working /etc/passwd:absolute file",
                "line 1: \"/etc/passwd:absolute\" cannot be an argument of unlinkat",
            ),
        ] {
            assert_eq!(Program::parse_all(text).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn the_operation_that_reaches_outside_decides() {
        let deciding = |text: &str| one(text).deciding().unwrap().label();
        assert_eq!(
            deciding("mkdirat working a:absolute\nopenat working secret:dotted read\nread last"),
            "openat read file"
        );
        assert_eq!(deciding("dup last\nread inherited-secret"), "read inherited-secret");
        assert_eq!(deciding("shmget\nshmat"), "shmget object");
        assert_eq!(deciding("dup last\nunshare user\nclose last"), "unshare user");
        assert_eq!(deciding("dup last\nclose last"), "close");
        assert_eq!(deciding("setpriority group"), "setpriority group victim");
    }

    #[test]
    fn what_is_known_is_taken_out_by_its_label() {
        let program = one(
            "openat working secret:absolute read\nopenat working secret:dotted write\nread last",
        );
        let known = ["openat read file".to_owned()].into();
        assert_eq!(
            program.without(&known).to_string(),
            "openat working secret:dotted write\nread last\n"
        );
    }
}
