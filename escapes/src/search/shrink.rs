//! Makes a counterexample as short and as plain as it can be, by trying what is shorter or plainer.

use super::program::Program;
use super::words::{OBJECTS, SPELLINGS, Word, words_for};

/// The shortest program that `shows` the same: no operation can be left out, and no word be replaced by
/// the simplest of its kind. Every answer is one trial.
///
/// # Errors
/// The first error of a trial.
pub fn shrink<Error>(
    program: &Program,
    shows: &mut impl FnMut(&Program) -> Result<bool, Error>,
) -> Result<Shrunk, Error> {
    let shortest = shorten(program, shows)?;
    let plain = simplify(&shortest, shows)?;
    let plainest = if plain == shortest { plain } else { shorten(&plain, shows)? };
    Ok(Shrunk { shortest, plainest })
}

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// With as few operations as it needs, in its own words.
    pub shortest: Program,
    /// In the plainest words, too.
    pub plainest: Program,
}

/// Leaves out halves, quarters and so on down to single operations, until none can be left out.
fn shorten<Error>(
    program: &Program,
    shows: &mut impl FnMut(&Program) -> Result<bool, Error>,
) -> Result<Program, Error> {
    let mut program = program.clone();
    let mut length = program.0.len().div_ceil(2);
    while length > 0 {
        let mut shorter = false;
        let mut start = program.0.len();
        while start > 0 {
            let end = start;
            start = start.saturating_sub(length);
            let mut candidate = program.clone();
            candidate.0.drain(start..end.min(candidate.0.len()));
            if !candidate.0.is_empty() && candidate != program && shows(&candidate)? {
                program = candidate;
                shorter = true;
            }
        }
        if !(shorter && length == 1) {
            length = if length == 1 { 0 } else { length.div_ceil(2) };
        }
    }
    Ok(program)
}

/// Replaces each word by the simplest of its kind where that shows the same.
fn simplify<Error>(
    program: &Program,
    shows: &mut impl FnMut(&Program) -> Result<bool, Error>,
) -> Result<Program, Error> {
    let mut program = program.clone();
    for place in 0..program.0.len() {
        let Some(operation) = program.0.get(place) else { break };
        let arguments: Vec<_> = operation.arguments().collect();
        for (index, (argument, word)) in arguments.into_iter().enumerate() {
            for simpler in simpler(words_for(argument).first().copied(), word) {
                let mut candidate = program.clone();
                let slot =
                    candidate.0.get_mut(place).and_then(|operation| operation.words.get_mut(index));
                if let Some(slot) = slot {
                    *slot = simpler;
                }
                if candidate != program && shows(&candidate)? {
                    program = candidate;
                    break;
                }
            }
        }
    }
    Ok(program)
}

/// The words that are simpler than this one, from the simplest.
fn simpler(first: Option<Word>, word: Word) -> Vec<Word> {
    let mut simpler: Vec<Word> = first.into_iter().collect();
    if let Word::Place { object, .. } = word {
        let plain = SPELLINGS.first().map(|spelling| Word::Place { object, spelling });
        let of_its_class = OBJECTS
            .iter()
            .find(|known| super::words::object(object).is_some_and(|own| own.class == known.class))
            .zip(SPELLINGS.first())
            .map(|(known, spelling)| Word::Place { object: known.name, spelling });
        simpler.extend(of_its_class.into_iter().chain(plain));
    }
    simpler.dedup();
    simpler.into_iter().take_while(|candidate| *candidate != word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Program {
        Program::parse_all(text).unwrap().remove(0)
    }

    /// Shrinks a program that shows the same as long as its text holds all of `needed`.
    fn shrunk(text: &str, needed: &[&str]) -> (String, usize) {
        let mut trials = 0;
        let mut shows = |program: &Program| -> Result<bool, std::convert::Infallible> {
            trials += 1;
            Ok(needed.iter().all(|part| program.to_string().contains(part)))
        };
        let Ok(shrunk) = shrink(&one(text), &mut shows);
        (shrunk.plainest.to_string(), trials)
    }

    const LONG: &str = "mkdirat working a:absolute\nkill stop\nopenat working git-config:dotted both\nread last\ndup last\nread made-0\nkill user\nunshare user";

    #[test]
    fn nothing_is_left_that_is_not_needed() {
        assert_eq!(shrunk(LONG, &["unshare"]).0, "unshare user\n");
        assert_eq!(
            shrunk(LONG, &["openat", "\nread"]).0,
            "openat working secret:absolute read\nread last\n"
        );
        assert_eq!(shrunk(LONG, &["kill stop", "unshare"]).0, "kill stop\nunshare user\n");
        assert_eq!(shrunk("kill user", &[]).0, "kill user\n");
    }

    #[test]
    fn a_word_stays_where_a_simpler_one_shows_nothing() {
        let needed = ["openat working git-config:dotted both"];
        assert_eq!(shrunk(LONG, &needed).0, format!("{}\n", needed[0]));
        let program =
            shrunk("symlink outside:slashes a:slashes\nunlink hook:climbing", &["unlink hook"]);
        assert_eq!(program.0, "unlink hook:absolute\n");
    }

    #[test]
    fn it_takes_few_trials() {
        let (_, trials) = shrunk(LONG, &["unshare"]);
        assert!(trials <= 12, "{trials}");
    }
}
