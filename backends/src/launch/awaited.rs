//! What a launcher waits for: the death of the program, its output, and its input where there is something
//! to write.

use super::feed::Feed;
use super::written::{Stream, Written};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::os::fd::{AsFd, OwnedFd};

/// What there is to do.
#[derive(Default)]
pub(super) struct Awaited {
    pub(super) dead: bool,
    pub(super) output: bool,
    pub(super) error: bool,
    pub(super) input: bool,
    pub(super) source: bool,
}

#[derive(Clone, Copy)]
enum Watched {
    Pidfd,
    Output,
    Error,
    Input,
    Source,
}

impl Awaited {
    /// Waits until there is something to do, a signal interrupts, or the time is over.
    pub(super) fn wait(
        pidfd: &OwnedFd,
        written: &Written,
        feed: &Feed,
        timeout: PollTimeout,
    ) -> Result<Self, Errno> {
        let (what, mut descriptors): (Vec<_>, Vec<_>) =
            watched(pidfd, written, feed).into_iter().unzip();
        match poll(&mut descriptors, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno),
        }
        let mut awaited = Self::default();
        for (descriptor, what) in descriptors.iter().zip(what) {
            let any = descriptor.any().unwrap_or(true);
            match what {
                Watched::Pidfd => awaited.dead = any,
                Watched::Output => awaited.output = any,
                Watched::Error => awaited.error = any,
                Watched::Input => awaited.input = any,
                Watched::Source => awaited.source = any,
            }
        }
        Ok(awaited)
    }
}

fn watched<'a>(
    pidfd: &'a OwnedFd,
    written: &'a Written,
    feed: &'a Feed,
) -> Vec<(Watched, PollFd<'a>)> {
    let output = written.open(Stream::Output).map(|output| (Watched::Output, output));
    let error = written.open(Stream::Error).map(|error| (Watched::Error, error));
    let source = feed.source().map(|source| (Watched::Source, source));
    let input = feed.input();
    [(Watched::Pidfd, pidfd.as_fd())]
        .into_iter()
        .chain(output)
        .chain(error)
        .chain(source)
        .map(|(what, descriptor)| (what, PollFd::new(descriptor, PollFlags::POLLIN)))
        .chain(input.map(|(input, flags)| (Watched::Input, PollFd::new(input, flags))))
        .collect()
}
