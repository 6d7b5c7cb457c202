//! A unit while it runs, until it is dead and sealed.

use crate::child::{Child, Event, WaitError};
use crate::meter::{Begun, Meter};
use crate::seal::{Applied, Outcome, Sealed, Stream};
use crate::unit::Unit;
use sha2::{Digest, Sha256};

/// A unit that runs. As its child, it stays with the thread that started it.
#[derive(Debug)]
pub struct Running {
    child: Child,
    applied: Applied,
    unit: Unit,
    meter: Meter,
    begun: Begun,
    output: Tally,
    error: Tally,
}

/// What happens next in the life of a unit.
#[derive(Debug)]
pub enum Progress {
    /// It goes on.
    Running(Box<Running>, Chunk),
    /// It is dead, and this is its record.
    Sealed(Box<Sealed>),
}

/// Bytes that a program wrote.
#[derive(Debug)]
pub enum Chunk {
    /// To standard output.
    Output(Vec<u8>),
    /// To standard error.
    Error(Vec<u8>),
}

impl Running {
    /// What was just launched.
    pub(crate) fn of(
        child: Child,
        applied: Applied,
        unit: Unit,
        meter: Meter,
        begun: Begun,
    ) -> Self {
        let (output, error) = (Tally::default(), Tally::default());
        Self { child, applied, unit, meter, begun, output, error }
    }

    /// Waits for what happens next. Bytes are handed on and not kept.
    ///
    /// # Errors
    /// When a call of the loop fails: see [`WaitError`]. The program is killed.
    pub fn progress(mut self: Box<Self>) -> Result<Progress, WaitError> {
        Ok(match self.child.next_event()? {
            Event::Output(bytes) => {
                self.output.count(&bytes);
                Progress::Running(self, Chunk::Output(bytes))
            }
            Event::Error(bytes) => {
                self.error.count(&bytes);
                Progress::Running(self, Chunk::Error(bytes))
            }
            Event::Ended(ended) => {
                let energy = self.meter.end(self.begun, &ended.usage);
                let (output, error) = (self.output.finish(), self.error.finish());
                let outcome = Outcome { ended, energy, output, error };
                Progress::Sealed(Box::new(Sealed::of(self.applied, &self.unit, outcome)))
            }
        })
    }

    /// Kills the program. Its end comes as always.
    ///
    /// # Errors
    /// As [`Child::kill`].
    pub fn kill(&self) -> Result<(), WaitError> {
        self.child.kill()
    }

    /// Follows the program to its end and keeps what it writes in the record.
    ///
    /// # Errors
    /// As [`Running::progress`].
    pub fn wait(mut self: Box<Self>) -> Result<Sealed, WaitError> {
        self.output.captured = Some(Vec::new());
        self.error.captured = Some(Vec::new());
        let mut running = self;
        loop {
            match running.progress()? {
                Progress::Running(further, _kept) => running = further,
                Progress::Sealed(sealed) => return Ok(*sealed),
            }
        }
    }
}

/// What was written to one stream so far.
#[derive(Debug, Default)]
struct Tally {
    bytes: u64,
    digest: Sha256,
    captured: Option<Vec<u8>>,
}

impl Tally {
    fn count(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        self.digest.update(bytes);
        if let Some(captured) = &mut self.captured {
            captured.extend_from_slice(bytes);
        }
    }

    fn finish(self) -> Stream {
        Stream { bytes: self.bytes, digest: self.digest.finalize().into(), captured: self.captured }
    }
}
