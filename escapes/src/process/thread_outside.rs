//! A thread outside that has a priority of some kind and sleeps. What others do to it shows in no file of `/proc`,
//! so it looks at itself when it ends.

use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// The thread. Its clue is its number.
#[derive(Clone, Copy)]
pub(super) struct ThreadOutside {
    pub(super) clue: &'static str,
    /// What it has, for the evidence.
    pub(super) what: &'static str,
    /// What it does first; returns what it has then.
    pub(super) begin: fn() -> io::Result<i64>,
    /// What it has.
    pub(super) look: fn() -> io::Result<i64>,
}

/// Without its functions: where they lie differs from run to run, and the catalogue has a digest.
impl fmt::Debug for ThreadOutside {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("ThreadOutside");
        shown.field("clue", &self.clue);
        shown.field("what", &self.what);
        shown.finish_non_exhaustive()
    }
}

impl Decoy for ThreadOutside {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let kind = *self;
        let (told, number) = channel();
        let (leave, left) = channel();
        let thread = std::thread::Builder::new().spawn(move || kind.live(&told, &left))?;
        let (number, before) = number.recv().map_err(io::Error::other)?;
        let before = before?;
        Ok(Box::new(Living { kind, number, before, leave: Some(leave), thread: Some(thread) }))
    }
}

impl ThreadOutside {
    /// Its life: it begins, says who it is and what it has, waits, and looks again.
    fn live(self, told: &Sender<(i32, io::Result<i64>)>, left: &Receiver<()>) -> io::Result<i64> {
        told.send((nix::unistd::gettid().as_raw(), (self.begin)())).map_err(io::Error::other)?;
        let _nobody_sends = left.recv();
        (self.look)()
    }
}

#[derive(Debug)]
struct Living {
    kind: ThreadOutside,
    number: i32,
    before: i64,
    /// The thread ends when it is dropped.
    leave: Option<Sender<()>>,
    /// The thread gives back what it has at its end.
    thread: Option<JoinHandle<io::Result<i64>>>,
}

impl Placed for Living {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![(self.kind.clue, self.number.to_string().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        self.leave = None;
        let Some(thread) = self.thread.take() else { return Ok(Vec::new()) };
        let after = thread.join().map_err(|_panic| io::Error::other("the thread panicked"))??;
        let (what, before) = (self.kind.what, self.before);
        let detail = format!("a thread outside went from {what} {before} to {after}");
        let evidence = Evidence { kind: EvidenceKind::ObjectChanged, detail };
        Ok(if after == self.before { Vec::new() } else { vec![evidence] })
    }

    fn sweep(&mut self) -> Vec<String> {
        self.leave = None;
        Vec::new()
    }
}
