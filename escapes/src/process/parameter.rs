//! Change the real-time priority of somebody outside who has one, as players of sound and controllers of machines
//! do. Less of it is given without a privilege, and who runs in time no more has been stopped as surely.

use crate::raw;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use std::ffi::OsString;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "process/parameter",
    summary: "Lower the real-time priority of a thread outside within its policy",
    techniques: &["KP-RTSCHED"],
    references: &["https://man7.org/linux/man-pages/man2/sched_setparam.2.html"],
    // For the decoy: what is lowered must be raised first.
    needs: &[Need::Capability(23, "CAP_SYS_NICE")],
    decoys: &[&Timely],
    stops: &[Layer::Seccomp, Layer::OtherNamespace],
    witnesses: &["hygiene/capabilities", "seccomp/sched_setparam"],
    // A control group without a share of real time has no such thread.
    absent: &[libc::ENOSYS, libc::EINVAL],
    twin: Twin::OwnProcess,
    native: Some(|scene| {
        let thread = scene.number("timely")?;
        let priority = LOWER;
        raw::call(libc::SYS_sched_setparam, [thread, &raw const priority as usize, 0, 0, 0, 0])?;
        Ok(Vec::new())
    }),
    ..Escape::BLANK
}];

/// Real-time priorities: the lowest, and one above it.
const LOWER: i32 = 1;
const BEFORE: i32 = 2;

/// A thread outside that has a real-time policy, and sleeps. Clue: `timely`, its number.
#[derive(Debug)]
struct Timely;

impl Decoy for Timely {
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
    before: i32,
    /// The thread ends when it is dropped.
    leave: Option<Sender<()>>,
    /// The thread gives its priority back as it is at its end.
    thread: Option<JoinHandle<io::Result<i32>>>,
}

/// The life of the thread: it becomes a timely one, says who it is and what priority it has, waits, and looks again.
fn live(told: &Sender<(i32, io::Result<i32>)>, left: &Receiver<()>) -> io::Result<i32> {
    told.send((nix::unistd::gettid().as_raw(), become_timely())).map_err(io::Error::other)?;
    let _nobody_sends = left.recv();
    priority()
}

fn become_timely() -> io::Result<i32> {
    let wanted = BEFORE;
    let wanted = &raw const wanted as usize;
    match raw::call(libc::SYS_sched_setscheduler, [0, libc::SCHED_RR as usize, wanted, 0, 0, 0]) {
        // It stays an ordinary one, whose priority within its policy is none.
        Err(error) if error.raw_os_error() != Some(libc::EPERM) => Err(error),
        Ok(_) | Err(_) => priority(),
    }
}

fn priority() -> io::Result<i32> {
    let mut priority = 0;
    raw::call(libc::SYS_sched_getparam, [0, &raw mut priority as usize, 0, 0, 0, 0])?;
    Ok(priority)
}

impl Placed for Living {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("timely", self.number.to_string().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        self.leave = None;
        let Some(thread) = self.thread.take() else { return Ok(Vec::new()) };
        let after = thread.join().map_err(|_panic| io::Error::other("the thread panicked"))??;
        let detail = format!("a thread outside went from priority {} to {after}", self.before);
        let evidence = Evidence { kind: EvidenceKind::ObjectChanged, detail };
        Ok(if after == self.before { Vec::new() } else { vec![evidence] })
    }

    fn sweep(&mut self) -> Vec<String> {
        self.leave = None;
        Vec::new()
    }
}
