//! Waiting for descriptors of the program's own: pipes, socket pairs, counters, timers.

use super::expect;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use nix::sys::eventfd::EventFd;
use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::Duration;

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/pipes",
        summary: "A pipe, a counter and a timer are waited for with poll and epoll",
        work: native!(pipes),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/socket-pair",
        summary: "Two threads talk over a Unix stream pair, with timeouts and shutdown",
        work: native!(socket_pair),
        ..UsefulWork::BLANK
    },
];

fn pipes(_scene: &Scene) -> io::Result<()> {
    let (mut reader, mut writer) = io::pipe()?;
    let counter = EventFd::new()?;
    let timer = TimerFd::new(ClockId::CLOCK_MONOTONIC, TimerFlags::TFD_CLOEXEC)?;
    let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
    epoll.add(&reader, EpollEvent::new(EpollFlags::EPOLLIN, 1))?;
    epoll.add(&counter, EpollEvent::new(EpollFlags::EPOLLIN, 2))?;
    epoll.add(&timer, EpollEvent::new(EpollFlags::EPOLLIN, 3))?;
    let mut nothing = [PollFd::new(reader.as_fd(), PollFlags::POLLIN)];
    expect(poll(&mut nothing, PollTimeout::from(1_u8))? == 0, "an empty pipe can be read")?;
    writer.write_all(b"pipe")?;
    counter.write(1)?;
    let moment = Expiration::OneShot(TimeSpec::from_duration(Duration::from_millis(1)));
    timer.set(moment, TimerSetTimeFlags::empty())?;
    timer.wait()?;
    timer.set(moment, TimerSetTimeFlags::empty())?;
    let mut seen = [false; 4];
    while seen != [false, true, true, true] {
        let mut events = [EpollEvent::empty(); 3];
        let count = epoll.wait(&mut events, EpollTimeout::NONE)?;
        for event in events.iter().take(count) {
            if let Some(seen) = seen.get_mut(event.data() as usize) {
                *seen = true;
            }
        }
    }
    let mut text = [0; 4];
    reader.read_exact(&mut text)?;
    drop(writer);
    expect(&text == b"pipe" && reader.read(&mut text)? == 0, "the pipe lost its content or end")
}

fn socket_pair(_scene: &Scene) -> io::Result<()> {
    let (mut near, mut far) = UnixStream::pair()?;
    near.set_read_timeout(Some(Duration::from_millis(2)))?;
    let silence = near.read(&mut [0]).map_err(|error| error.kind());
    expect(silence == Err(io::ErrorKind::WouldBlock), "a silent pair said something")?;
    near.set_read_timeout(None)?;
    let echo = thread::Builder::new().spawn(move || -> io::Result<u64> {
        let mut received = Vec::new();
        far.read_to_end(&mut received)?;
        far.write_all(&received)?;
        Ok(received.len() as u64)
    })?;
    let sent = vec![7; 1 << 20];
    near.write_all(&sent)?;
    near.shutdown(std::net::Shutdown::Write)?;
    let mut answer = Vec::new();
    near.read_to_end(&mut answer)?;
    let length = echo.join().map_err(|_panic| super::wrong("the echo did not end"))??;
    expect(answer == sent && length == 1 << 20, "the pair lost bytes")
}
