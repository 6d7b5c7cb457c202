//! Move who waits outside to another place, where nobody wakes them. A futex in a file has the file for its
//! address, and requeueing at it needs no more than to read the file: the program's own image will do.

use super::file_words::{PAUSE, TRIES, Word, told, wait, wake};
use crate::raw;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Program, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::ffi::OsString;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};

const MOVE: Escape = Escape {
    techniques: &["IP-FUTEX"],
    references: &["https://man7.org/linux/man-pages/man2/FUTEX_CMP_REQUEUE.2const.html", "CWE-667"],
    decoys: &[&Waiting],
    stops: &[Layer::Seccomp],
    witnesses: &["seccomp/futex"],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/file-futex",
        summary: "Move a waiter outside, at a futex in a file that can be read, to one of the own memory",
        native: Some(|scene| requeue(scene, libc::FUTEX_REQUEUE)),
        ..MOVE
    },
    Escape {
        id: "ipc/file-futex.compared",
        summary: "Move such a waiter if the word at which it waits still is what it was",
        native: Some(|scene| requeue(scene, libc::FUTEX_CMP_REQUEUE)),
        ..MOVE
    },
    #[cfg(target_arch = "x86_64")]
    Escape {
        id: "ipc/file-futex.newest",
        summary: "Move such a waiter by the call that came last, which takes both places in memory",
        // Linux 6.7.
        witnesses: &["seccomp/futex_requeue"],
        native: Some(newest),
        ..MOVE
    },
];

const CLAIM: &str = "futex";

static OWN: AtomicU32 = AtomicU32::new(0);

/// Moves one waiter; none may wait there yet.
fn moved(scene: &Scene, mut requeue: impl FnMut() -> io::Result<i64>) -> io::Result<Vec<u8>> {
    for _ in 0..TRIES {
        if requeue()? > 0 {
            return scene.show(CLAIM).map(|()| Vec::new());
        }
        thread::sleep(PAUSE);
    }
    Err(io::ErrorKind::TimedOut.into())
}

fn requeue(scene: &Scene, operation: i32) -> io::Result<Vec<u8>> {
    let word = told(scene)?;
    let (from, to) = (word.as_ptr() as usize, OWN.as_ptr() as usize);
    let value = word.load(Ordering::SeqCst) as usize;
    moved(scene, || raw::call(libc::SYS_futex, [from, operation as usize, 0, 1, to, value]))
}

/// `struct futex_waitv`, `linux/futex.h`.
#[cfg(target_arch = "x86_64")]
#[repr(C)]
struct Waiter {
    value: u64,
    address: u64,
    flags: u32,
    reserved: u32,
}

#[cfg(target_arch = "x86_64")]
fn newest(scene: &Scene) -> io::Result<Vec<u8>> {
    const FUTEX_REQUEUE: i64 = 456;
    const FUTEX2_SIZE_U32: u32 = 2;
    let word = told(scene)?;
    let waiter = |word: &AtomicU32| Waiter {
        value: word.load(Ordering::SeqCst).into(),
        address: word.as_ptr() as u64,
        flags: FUTEX2_SIZE_U32,
        reserved: 0,
    };
    let both = [waiter(word), waiter(&OWN)];
    moved(scene, || raw::call(FUTEX_REQUEUE, [both.as_ptr() as usize, 0, 0, 1, 0, 0]))
}

/// Clues `futex` and `word`: a file, and the number of a word of it at which a thread outside waits. The
/// watcher wakes whoever waits there: if nobody does, while the thread still sleeps, it was moved.
#[derive(Clone, Copy, Debug)]
struct Waiting;

impl Decoy for Waiting {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let word = Word::of(site.nonce)?;
        let futex = word.word;
        let thread = thread::Builder::new().spawn(move || wait(futex))?;
        Ok(Box::new(Sleeper { word, thread: Some(thread) }))
    }
}

#[derive(Debug)]
struct Sleeper {
    word: Word,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Sleeper {
    /// Wakes who waits at the word. `false`: nobody does, and the thread still sleeps.
    fn wake(&mut self) -> io::Result<bool> {
        for _ in 0..TRIES {
            let woken = wake(self.word.word)?;
            if woken > 0 || self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
                return Ok(true);
            }
            thread::sleep(PAUSE);
        }
        Ok(false)
    }
}

impl Placed for Sleeper {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        self.word.clues()
    }

    fn look(&mut self, _program: &Program<'_>, claim: &str) -> Vec<Evidence> {
        match self.wake() {
            Ok(false) if claim == CLAIM => vec![Evidence {
                kind: EvidenceKind::ObjectChanged,
                detail: "a thread outside cannot be woken where it waits".to_owned(),
            }],
            // What went wrong shows again when all is over.
            Ok(_) | Err(_) => Vec::new(),
        }
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        self.wake().map(|_woken| Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        // A thread that was moved ends by its own clock; nobody needs to wait for it.
        self.thread = None;
        Vec::new()
    }
}
