//! Signals of the program to itself, and timers that send them.

use super::expect;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use nix::sys::signal::{SigEvent, SigevNotify};
use nix::sys::signal::{SigSet, Signal, kill, raise};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::time::TimeSpec;
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::time::ClockId;
use nix::unistd::getpid;
use std::io;
use std::time::{Duration, Instant, SystemTime};

pub(super) const WORKS: &[UsefulWork] = &[UsefulWork {
    id: "useful/signals",
    summary: "Timers and the program itself send it signals, which it reads and waits for",
    work: native!(signals),
    ..UsefulWork::BLANK
}];

fn signals(_scene: &Scene) -> io::Result<()> {
    let mut expected = SigSet::empty();
    for signal in [Signal::SIGALRM, Signal::SIGUSR1, Signal::SIGUSR2] {
        expected.add(signal);
    }
    expected.thread_block()?;
    let signals = SignalFd::with_flags(&expected, SfdFlags::SFD_CLOEXEC)?;
    for clock in [ClockId::CLOCK_MONOTONIC, ClockId::CLOCK_REALTIME] {
        let notify = SigevNotify::SigevSignal { signal: Signal::SIGALRM, si_value: 0 };
        let mut timer = Timer::new(clock, SigEvent::new(notify))?;
        let moment = Expiration::OneShot(TimeSpec::from_duration(Duration::from_millis(1)));
        timer.set(moment, TimerSetTimeFlags::empty())?;
        received(&signals, Signal::SIGALRM)?;
    }
    kill(getpid(), Signal::SIGUSR1)?;
    received(&signals, Signal::SIGUSR1)?;
    raise(Signal::SIGUSR2)?;
    expect(expected.wait()? == Signal::SIGUSR2, "another signal came")?;
    // Asks whether oneself is alive, as lock files of many programs do.
    kill(getpid(), None)?;
    let (before, clock) = (Instant::now(), nix::time::clock_gettime(ClockId::CLOCK_BOOTTIME)?);
    std::thread::sleep(Duration::from_millis(1));
    expect(before.elapsed() >= Duration::from_millis(1), "the clock stands still")?;
    expect(clock.tv_sec() >= 0, "the host has not started yet")?;
    expect(SystemTime::now() > SystemTime::UNIX_EPOCH, "the date is before the epoch")
}

fn received(signals: &SignalFd, signal: Signal) -> io::Result<()> {
    let read = signals.read_signal()?.map(|read| read.ssi_signo);
    expect(read == Some(signal as u32), "another signal came")
}
