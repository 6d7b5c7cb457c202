//! Wait where others wait, and wake who waits there, at a futex in a file. Both need no more than to read the
//! file. A waking is for one of those who wait: whoever waits in addition takes it from who needs it.

#[cfg(target_os = "linux")]
use super::crowd::{Robbed, TAKE};
use super::file_words::{PAUSE, TRIES, Word, comes_true, sleeper, told, wake};
use fixtures::decoy::{Decoy, EvidenceKind, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
use harness::escape::{Bar, Escape};
use harness::scene::Scene;
use harness::twin::Twin;
use std::ffi::OsString;
use std::io;
use std::thread::{self, JoinHandle};

const WAIT: Escape = Escape {
    techniques: &["IP-FUTEX"],
    references: &["https://man7.org/linux/man-pages/man2/FUTEX_WAIT.2const.html", "CWE-667"],
    // Stated in docs/ladder.md.
    bar: Bar::Residue,
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    #[cfg(target_os = "linux")]
    Escape {
        id: "ipc/futex-wait",
        summary: "Wait at a futex in a file that can be read, and take the waking of who waits there outside",
        decoys: &[&Robbed],
        native: Some(take),
        ..WAIT
    },
    Escape {
        id: "ipc/futex-wait.wake",
        summary: "Wake who waits outside at a futex in a file that can be read, before their time",
        references: &["https://man7.org/linux/man-pages/man2/FUTEX_WAKE.2const.html", "CWE-667"],
        decoys: &[&Sleeping],
        native: Some(disturb),
        ..WAIT
    },
];

const DISTURB: &str = "has woken";

#[cfg(target_os = "linux")]
fn take(scene: &Scene) -> io::Result<Vec<u8>> {
    let word = told(scene)?;
    let waiter = sleeper(word)?;
    scene.show(TAKE)?;
    // The watcher woke somebody, or the filter refused: then this tells it.
    if waiter.is_finished() {
        waiter.join().map_err(|_panic| io::ErrorKind::Other)??;
    }
    Ok(Vec::new())
}

fn disturb(scene: &Scene) -> io::Result<Vec<u8>> {
    let word = told(scene)?;
    for _ in 0..TRIES {
        if wake(word)? > 0 {
            return scene.show(DISTURB).map(|()| Vec::new());
        }
        thread::sleep(PAUSE);
    }
    Err(io::ErrorKind::TimedOut.into())
}

/// Clues `futex` and `word`: a file, and the number of a word of it at which a thread outside waits. Nobody
/// but the program wakes it while the trial lasts.
#[derive(Clone, Copy, Debug)]
struct Sleeping;

impl Decoy for Sleeping {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let word = Word::of(site.nonce)?;
        let thread = Some(sleeper(word.word)?);
        Ok(Box::new(Looking::new(Sleeper { word, thread })))
    }
}

#[derive(Debug)]
struct Sleeper {
    word: Word,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Sleeper {
    /// Whether somebody woke the thread, be it soon.
    fn woken(&mut self) -> io::Result<bool> {
        let asleep = |thread: &JoinHandle<_>| !thread.is_finished();
        if !comes_true(|| Ok(!self.thread.as_ref().is_some_and(asleep)))? {
            return Ok(false);
        }
        let Some(thread) = self.thread.take() else { return Ok(false) };
        thread.join().map_err(|_panic| io::ErrorKind::Other)?.map(|()| true)
    }
}

impl Question for Sleeper {
    const SEEN: EvidenceKind = EvidenceKind::ObjectChanged;

    fn clues(&self) -> Vec<(&'static str, OsString)> {
        self.word.clues()
    }

    fn look(&mut self, _nonce: &str, claim: &str) -> io::Result<Option<String>> {
        let woken = claim == DISTURB && self.woken()?;
        Ok(woken.then(|| "a thread outside was woken by nobody who may".to_owned()))
    }

    fn sweep(&mut self) -> Vec<String> {
        // It ends by its own clock if it did not yet begin to wait.
        self.thread = None;
        wake(self.word.word)
            .err()
            .map(|error| format!("a thread still waits: {error}"))
            .into_iter()
            .collect()
    }
}
