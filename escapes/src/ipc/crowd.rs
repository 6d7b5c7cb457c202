//! Linux. Whether somebody takes the waking of who waits outside: there a call counts who waits at a futex, so that
//! the watcher knows whose turn it is.

use super::file_words::{Word, comes_true, sleeper, wake};
use crate::raw;
use fixtures::decoy::{Decoy, EvidenceKind, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
use std::ffi::OsString;
use std::io;
use std::sync::atomic::AtomicU32;

pub(super) const TAKE: &str = "takes a waking";

/// How many wait at the word. Requeueing them to where they are changes nothing and counts them.
fn waiting(word: &AtomicU32) -> io::Result<i64> {
    let (place, all) = (word.as_ptr() as usize, i32::MAX as usize);
    raw::call(libc::SYS_futex, [place, libc::FUTEX_REQUEUE as usize, 0, all, place, 0])
}

/// Clues `futex` and `word`: a file, and the number of a word of it. While the program waits there the watcher
/// lets a thread of its own wait, too, and wakes one: who comes first is served.
#[derive(Clone, Copy, Debug)]
pub(super) struct Robbed;

impl Decoy for Robbed {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(Box::new(Looking::new(Crowd { word: Word::of(site.nonce)? })))
    }
}

#[derive(Debug)]
struct Crowd {
    word: Word,
}

impl Crowd {
    /// Whether another took the waking that this one's thread waits for.
    fn robbed(&self) -> io::Result<bool> {
        let word = self.word.word;
        if !comes_true(|| Ok(waiting(word)? == 1))? {
            return Ok(false);
        }
        let own = sleeper(word)?;
        let both = comes_true(|| Ok(waiting(word)? == 2))?;
        let woken = wake(word)?;
        let robbed = both && woken == 1 && !comes_true(|| Ok(own.is_finished()))?;
        wake(word)?;
        Ok(robbed)
    }
}

impl Question for Crowd {
    const SEEN: EvidenceKind = EvidenceKind::ObjectChanged;

    fn clues(&self) -> Vec<(&'static str, OsString)> {
        self.word.clues()
    }

    fn look(&mut self, _nonce: &str, claim: &str) -> io::Result<Option<String>> {
        let robbed = claim == TAKE && self.robbed()?;
        Ok(robbed.then(|| "a thread outside sleeps on, for another took its waking".to_owned()))
    }
}
