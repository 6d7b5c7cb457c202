//! Calls that a signal interrupts, and pipes that nobody reads: what well-made programs are built on.

use super::expect;
use crate::raw;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigEvent, SigevNotify, Signal};
use nix::sys::time::TimeSpec;
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::time::ClockId;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::time::Duration;

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/interrupted-calls",
        summary: "A signal interrupts a wait and a read with EINTR, and lets a read go on if asked to",
        work: native!(interrupted),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/broken-pipe",
        summary: "A write to a pipe that nobody reads answers EPIPE where SIGPIPE is ignored",
        work: native!(broken_pipe),
        ..UsefulWork::BLANK
    },
];

/// The signal comes again and again, so that one that comes before the wait does no harm.
const INTERVAL: Duration = Duration::from_millis(2);

fn interrupted(_scene: &Scene) -> io::Result<()> {
    let notify = SigevNotify::SigevSignal { signal: Signal::SIGALRM, si_value: 0 };
    let (mut reader, mut writer) = io::pipe()?;
    raw::ignore_by_handler(libc::SIGALRM, 0)?;
    let mut timer = Timer::new(ClockId::CLOCK_MONOTONIC, SigEvent::new(notify))?;
    let moment = TimeSpec::from_duration(INTERVAL);
    timer.set(Expiration::Interval(moment), TimerSetTimeFlags::empty())?;
    let read = reader.read(&mut [0]).map_err(|error| error.kind());
    expect(read == Err(io::ErrorKind::Interrupted), "a signal did not interrupt a read")?;
    let mut nothing = [PollFd::new(reader.as_fd(), PollFlags::POLLIN)];
    let waited = poll(&mut nothing, PollTimeout::NONE);
    expect(waited == Err(Errno::EINTR), "a signal did not interrupt a wait")?;
    raw::ignore_by_handler(libc::SIGALRM, libc::SA_RESTART)?;
    let late = std::thread::Builder::new().spawn(move || {
        std::thread::sleep(INTERVAL * 5);
        writer.write_all(b"x")
    })?;
    expect(reader.read(&mut [0])? == 1, "a read did not go on after a signal")?;
    late.join().map_err(|_panic| super::wrong("the writer did not end"))?
}

/// The runtime of Rust ignores SIGPIPE; `useful/exit-by-broken-pipe` is a program that does not.
fn broken_pipe(_scene: &Scene) -> io::Result<()> {
    let (reader, mut writer) = io::pipe()?;
    drop(reader);
    let written = writer.write(b"x").map_err(|error| error.kind());
    expect(written == Err(io::ErrorKind::BrokenPipe), "a pipe without a reader took bytes")?;
    let (near, mut far) = std::os::unix::net::UnixStream::pair()?;
    drop(near);
    let written = far.write(b"x").map_err(|error| error.kind());
    expect(written == Err(io::ErrorKind::BrokenPipe), "a pair without a reader took bytes")
}
