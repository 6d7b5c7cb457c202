//! Make the input and output of somebody outside wait behind everybody else's. It stands in no file of
//! `/proc`, so the target is a thread that asks for its own.

use crate::raw;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::ffi::OsString;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "process/io-priority",
    summary: "Lower the priority of a thread outside in all that it reads and writes",
    techniques: &["KP-SETPRIORITY"],
    references: &["https://man7.org/linux/man-pages/man2/ioprio_set.2.html"],
    decoys: &[&Reader],
    stops: &[Layer::Seccomp, Layer::OtherNamespace],
    witnesses: &["hygiene/capabilities", "seccomp/ioprio_set"],
    twin: Twin::OwnProcess,
    native: Some(|scene| {
        let thread = scene.number("reader")?;
        raw::call(libc::SYS_ioprio_set, [WHO_PROCESS, thread, IDLE, 0, 0, 0])?;
        Ok(Vec::new())
    }),
    ..Escape::BLANK
}];

/// `linux/ioprio.h`: one thread, and the class of those who wait for all others.
const WHO_PROCESS: usize = 1;
const IDLE: usize = 3 << 13;

/// A thread outside that could have something to read. Clue: `reader`, its number.
#[derive(Debug)]
struct Reader;

impl Decoy for Reader {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let (told, number) = channel();
        let (leave, left) = channel();
        let thread = std::thread::Builder::new().spawn(move || live(&told, &left))?;
        let (number, before) = number.recv().map_err(io::Error::other)?;
        Ok(Box::new(Living { number, before: before?, leave: Some(leave), thread: Some(thread) }))
    }
}

#[derive(Debug)]
struct Living {
    number: i32,
    before: i64,
    /// The thread ends when it is dropped.
    leave: Option<Sender<()>>,
    /// The thread gives its priority back as it is at its end.
    thread: Option<JoinHandle<io::Result<i64>>>,
}

/// The life of the thread: it says who it is and what priority it has, waits, and looks again.
fn live(told: &Sender<(i32, io::Result<i64>)>, left: &Receiver<()>) -> io::Result<i64> {
    let own = || raw::call(libc::SYS_ioprio_get, [WHO_PROCESS, 0, 0, 0, 0, 0]);
    told.send((nix::unistd::gettid().as_raw(), own())).map_err(io::Error::other)?;
    let _nobody_sends = left.recv();
    own()
}

impl Placed for Living {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("reader", self.number.to_string().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        self.leave = None;
        let Some(thread) = self.thread.take() else { return Ok(Vec::new()) };
        let after = thread.join().map_err(|_panic| io::Error::other("the reader panicked"))??;
        let detail = format!("a thread outside went from i/o priority {} to {after}", self.before);
        let evidence = Evidence { kind: EvidenceKind::ObjectChanged, detail };
        Ok(if after == self.before { Vec::new() } else { vec![evidence] })
    }

    fn sweep(&mut self) -> Vec<String> {
        self.leave = None;
        Vec::new()
    }
}
