//! Set the clock of the host. It is moved by a billionth of a second and back, or set to what it shows;
//! whoever waits for the clock is told by the kernel that somebody set it, and by no more.

use super::host_wide::Alone;
use crate::raw;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use nix::errno::Errno;
use nix::sys::time::{TimeSpec, TimeValLike};
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
use nix::time::{ClockId as Clock, clock_gettime};
use std::ffi::OsString;
use std::io;

const SET: Escape = Escape {
    techniques: &["KP-CLOCK"],
    references: &[
        "https://man7.org/linux/man-pages/man2/adjtimex.2.html",
        "https://github.com/NVIDIA/OpenShell/issues/578",
        "CWE-250",
    ],
    needs: &[Need::Capability(25, "CAP_SYS_TIME")],
    decoys: &[&Watched],
    stops: &[Layer::Seccomp, Layer::Hygiene],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/clock",
        summary: "Move the clock of the host by adjtimex",
        witnesses: &["hygiene/capabilities", "seccomp/adjtimex"],
        native: Some(|_scene| {
            adjtimex(1)?;
            adjtimex(-1)?;
            Ok(Vec::new())
        }),
        ..SET
    },
    Escape {
        id: "kernel/clock.adjust",
        summary: "Move the clock of the host by clock_adjtime",
        witnesses: &["hygiene/capabilities", "seccomp/clock_adjtime"],
        native: Some(|_scene| {
            clock_adjtime(1)?;
            clock_adjtime(-1)?;
            Ok(Vec::new())
        }),
        ..SET
    },
    Escape {
        id: "kernel/clock.set",
        summary: "Set the clock of the host by clock_settime",
        references: &["https://man7.org/linux/man-pages/man2/clock_settime.2.html", "CWE-250"],
        witnesses: &["hygiene/capabilities", "seccomp/clock_settime"],
        native: Some(|_scene| {
            set(|now| {
                let time = [now.div_euclid(BILLION), now.rem_euclid(BILLION)];
                let place = time.as_ptr() as usize;
                raw::call(libc::SYS_clock_settime, [0, place, 0, 0, 0, 0])
            })
        }),
        ..SET
    },
    Escape {
        id: "kernel/clock.day",
        summary: "Set the clock of the host by settimeofday",
        references: &["https://man7.org/linux/man-pages/man2/settimeofday.2.html", "CWE-250"],
        witnesses: &["hygiene/capabilities", "seccomp/settimeofday"],
        native: Some(|_scene| {
            set(|now| {
                let time = [now.div_euclid(BILLION), now.rem_euclid(BILLION) / 1000];
                let place = time.as_ptr() as usize;
                raw::call(libc::SYS_settimeofday, [place, 0, 0, 0, 0, 0])
            })
        }),
        ..SET
    },
];

const BILLION: i64 = 1_000_000_000;

/// `struct timex` with `ADJ_SETOFFSET | ADJ_NANO`: a whole number of seconds and the nanoseconds above it.
fn offset(nanoseconds: i64) -> [i64; 26] {
    const MODES: i64 = 0x0100 | 0x2000;
    let mut words = [0; 26];
    words[0] = MODES;
    words[9] = nanoseconds.div_euclid(BILLION);
    words[10] = nanoseconds.rem_euclid(BILLION);
    words
}

fn adjtimex(nanoseconds: i64) -> io::Result<i64> {
    let mut words = offset(nanoseconds);
    raw::call(libc::SYS_adjtimex, [words.as_mut_ptr() as usize, 0, 0, 0, 0, 0])
}

fn clock_adjtime(nanoseconds: i64) -> io::Result<i64> {
    let mut words = offset(nanoseconds);
    raw::call(libc::SYS_clock_adjtime, [0, words.as_mut_ptr() as usize, 0, 0, 0, 0])
}

/// Sets the clock to what it shows, and then takes back what was lost on the way.
fn set(set: impl FnOnce(i64) -> io::Result<i64>) -> io::Result<Vec<u8>> {
    let before = distance()?;
    set(read(Clock::CLOCK_REALTIME)?)?;
    adjtimex(before - distance()?)?;
    Ok(Vec::new())
}

/// How far the clock is ahead of the one that nobody sets. A look that was interrupted is a long one, so
/// the shortest of some counts.
fn distance() -> io::Result<i64> {
    let mut best = (i64::MAX, 0);
    for _ in 0..50 {
        let before = read(Clock::CLOCK_MONOTONIC)?;
        let shown = read(Clock::CLOCK_REALTIME)?;
        let after = read(Clock::CLOCK_MONOTONIC)?;
        best = best.min((after - before, shown - before - (after - before) / 2));
    }
    Ok(best.1)
}

fn read(clock: Clock) -> io::Result<i64> {
    Ok(clock_gettime(clock)?.num_nanoseconds())
}

/// A timer far ahead that is cancelled when somebody sets the clock (`TFD_TIMER_CANCEL_ON_SET`,
/// timerfd_create(2)).
#[derive(Debug)]
struct Watched;

impl Decoy for Watched {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        const YEAR: i64 = 365 * 24 * 3600;
        let alone = Alone::wait("clock")?;
        let flags = TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC;
        let timer = TimerFd::new(ClockId::CLOCK_REALTIME, flags)?;
        let far = TimeSpec::seconds(read(Clock::CLOCK_REALTIME)? / BILLION + YEAR);
        let how = TimerSetTimeFlags::TFD_TIMER_ABSTIME | TimerSetTimeFlags::TFD_TIMER_CANCEL_ON_SET;
        timer.set(Expiration::OneShot(far), how)?;
        Ok(Box::new(Waiting { alone: Some(alone), timer }))
    }
}

#[derive(Debug)]
struct Waiting {
    alone: Option<Alone>,
    timer: TimerFd,
}

impl Placed for Waiting {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        Vec::new()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let detail = match self.timer.wait() {
            Err(Errno::EAGAIN) => return Ok(Vec::new()),
            Err(Errno::ECANCELED) => "somebody set the clock of the host".to_owned(),
            Err(error) => return Err(error.into()),
            Ok(()) => "the clock of the host is a year ahead".to_owned(),
        };
        Ok(vec![Evidence { kind: EvidenceKind::ObjectChanged, detail }])
    }

    fn sweep(&mut self) -> Vec<String> {
        self.alone = None;
        Vec::new()
    }
}
