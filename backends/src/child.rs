//! A running program as its launcher holds it: events while it runs, how it ended, what it used.

use std::time::Duration;

/// What happens next in the life of a program.
#[derive(Debug)]
pub enum Event {
    /// The program wrote this to standard output.
    Output(Vec<u8>),
    /// The program wrote this to standard error.
    Error(Vec<u8>),
    /// The program is dead and reaped. No event comes after this one.
    Ended(Ended),
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// What the kernel reports.
    pub exit: Exit,
    /// Which limit ended it, if one did.
    pub cause: Option<Cause>,
    /// What it used.
    pub usage: Usage,
}

/// The status of a dead process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// It was ended by this signal.
    Signal(i32),
}

/// Which limit ended a program. All but the CPU time are watched by the launcher, which kills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The wall clock of its limits ran out.
    WallClock,
    /// It wrote more than its limits allow.
    Output,
    /// Its run directory held more than its limits allow, or could not be measured any more.
    RunDirectory,
    /// It used more CPU time than its limits allow: the kernel killed it (`RLIMIT_CPU`).
    CpuTime,
}

/// What a program used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Wall-clock time from launch to death.
    pub wall: Duration,
    /// CPU time of all its threads.
    pub cpu: Duration,
    /// Largest resident set in bytes: the program's, or on Linux its launcher's of the time of the launch if that was
    /// larger, since a child has the memory of its launcher until it executes (`exec_mmap` carries the mark over).
    pub peak_memory: u64,
}

/// A program that ran to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completed {
    /// How it ended.
    pub ended: Ended,
    /// All that it wrote to standard output, up to the cap.
    pub output: Vec<u8>,
    /// All that it wrote to standard error, up to the cap.
    pub error: Vec<u8>,
}

pub use crate::launch::{WaitError, supervise::Child};
