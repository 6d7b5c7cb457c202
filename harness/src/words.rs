//! What a program under trial says: lines on standard output that begin with the trial's nonce,
//! wherever they stand among the text of a wrapper.

use reports::record::Answer;

/// The words that were heard so far.
#[derive(Debug)]
pub(crate) struct Words {
    prefix: Vec<u8>,
    line: Vec<u8>,
    /// Whether the program stood before its act.
    pub(crate) reached: bool,
    /// How its act ended in its own words.
    pub(crate) answer: Answer,
    /// What the last failed twin said.
    pub(crate) twins: Vec<String>,
    /// Words that are no part of a trial's protocol, for whoever has one of their own.
    pub(crate) others: Vec<String>,
}

/// Longest line that is listened to: a word is short, loot is not.
const LINE: usize = 1 << 12;

/// Most words that are kept for others: a program may say more than anybody wants to hear.
const OTHERS: usize = 1 << 12;

impl Words {
    /// Listens for the program of this trial.
    pub(crate) fn of(nonce: &str) -> Self {
        Self {
            prefix: format!("{nonce} ").into_bytes(),
            line: Vec::new(),
            reached: false,
            answer: Answer::None,
            twins: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Hears more output. Returns the claims with which the program asks to be looked at.
    pub(crate) fn hear(&mut self, output: &[u8]) -> Vec<String> {
        let mut claims = Vec::new();
        for byte in output {
            if *byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                claims.extend(self.understand(&line));
            } else if self.line.len() < LINE {
                self.line.push(*byte);
            }
        }
        claims
    }

    fn understand(&mut self, line: &[u8]) -> Option<String> {
        let word = String::from_utf8_lossy(line.strip_prefix(self.prefix.as_slice())?).into_owned();
        if let Some(claim) = word.strip_prefix("look ") {
            return Some(claim.to_owned());
        }
        if word == "reached" {
            self.reached = true;
        } else if let Some(answer) = word.strip_prefix("answer ") {
            self.answer = understand_answer(answer);
        } else if word.starts_with("twin-") && !word.ends_with(" ok") || word.starts_with("work ") {
            self.twins.push(word);
        } else if self.others.len() < OTHERS {
            self.others.push(word);
        }
        None
    }
}

fn understand_answer(answer: &str) -> Answer {
    if answer == "done" {
        return Answer::Done;
    }
    let mut parts = answer.split(' ');
    match (parts.next(), parts.next()) {
        (Some("errno"), Some(number)) => number.parse().map_or(Answer::None, Answer::Errno),
        (Some("exception"), Some(class)) => Answer::Exception(class.to_owned()),
        _ => Answer::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_nonce_among_other_text_and_in_pieces() {
        let mut words = Words::of("abc");
        assert!(words.hear(b"banner\nabc rea").is_empty());
        assert!(!words.reached);
        assert!(words.hear(b"ched\nnoise abc answer done\n").is_empty());
        assert!(words.reached);
        assert_eq!(words.answer, Answer::None);
        assert_eq!(words.hear(b"\nabc look tcp4 7\n"), ["tcp4 7"]);
        words.hear(b"abc answer errno 13\n");
        assert_eq!(words.answer, Answer::Errno(13));
        words.hear(b"abc program 7\nabd program 8\n");
        assert_eq!(words.others, ["program 7"]);
    }

    #[test]
    fn words_of_another_trial_and_broken_words_say_nothing() {
        let mut words = Words::of("abc");
        words.hear(b"abd reached\nabc reached \nabc answer errno many\nabc answer\n");
        assert!(!words.reached);
        assert_eq!(words.answer, Answer::None);
    }
}
