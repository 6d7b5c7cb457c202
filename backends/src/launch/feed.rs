//! What a program reads: bytes that its host queues, or a source that is passed on as the program takes
//! it. A program that does not read its input is no error.

use super::reading::{is_passing, read_some};
use nix::poll::PollFlags;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The launcher's end of a program's standard input.
#[derive(Debug)]
pub(super) struct Feed {
    input: Option<File>,
    source: Option<File>,
    /// Bytes that were taken from the source.
    taken: u64,
    exhausted: bool,
    /// The program's end again, where the source can be put back to what was left unread.
    unread: Option<OwnedFd>,
    pending: VecDeque<u8>,
    closing: bool,
}

impl Feed {
    pub(super) fn new(
        input: Option<OwnedFd>,
        source: Option<OwnedFd>,
        unread: Option<OwnedFd>,
    ) -> Self {
        Self {
            input: input.map(File::from),
            closing: source.is_some(),
            source: source.map(File::from),
            taken: 0,
            exhausted: false,
            unread,
            pending: VecDeque::new(),
        }
    }

    /// Queues bytes.
    pub(super) fn queue(&mut self, bytes: &[u8]) {
        self.pending.extend(bytes);
    }

    /// Closes the input once the queue is empty.
    pub(super) fn close(&mut self) {
        self.closing = true;
        self.close_if_drained();
    }

    /// The input, and what to wait for. Of an idle one only the closing of the reader's end is of interest
    /// (`POLLERR`).
    pub(super) fn input(&self) -> Option<(BorrowedFd<'_>, PollFlags)> {
        let flags = if self.pending.is_empty() { PollFlags::empty() } else { PollFlags::POLLOUT };
        self.input.as_ref().map(|input| (input.as_fd(), flags))
    }

    /// The source, while more of it can be passed on.
    pub(super) fn source(&self) -> Option<BorrowedFd<'_>> {
        let may_fill = self.pending.is_empty() && self.input.is_some() && !self.exhausted;
        self.source.as_ref().filter(|_source| may_fill).map(AsFd::as_fd)
    }

    /// Takes from the source what one pipe can hold.
    pub(super) fn fill(&mut self, buffer: &mut Vec<u8>) {
        let Some(source) = &self.source else { return };
        match read_some(source, buffer) {
            Ok(0) => {
                self.exhausted = true;
                self.close_if_drained();
            }
            Ok(length) => {
                self.taken = self.taken.saturating_add(length as u64);
                self.pending.extend(buffer.as_slice());
            }
            Err(error) if is_passing(&error) => {}
            Err(_gone) => self.exhausted = true,
        }
    }

    /// Writes what is queued, as far as the program reads.
    pub(super) fn pour(&mut self) {
        let Some(input) = &mut self.input else { return };
        let (front, _) = self.pending.as_slices();
        if front.is_empty() {
            // Nothing was to be written, so what woke us is that nobody reads any more.
            self.input = None;
            return;
        }
        match input.write(front) {
            Ok(length) => {
                self.pending.drain(..length);
            }
            Err(error) if is_passing(&error) => {}
            Err(_closed) => {
                self.input = None;
                self.pending.clear();
            }
        }
        self.close_if_drained();
    }

    /// Puts the position of a file that was the source back to what the program left unread, so that
    /// the caller of a loop of programs finds its next line. A pipe or a terminal cannot be put back.
    ///
    /// A program can write into its own input, whose other end has a name in `/proc`: it gets nothing back
    /// that was not taken for it, or the caller would meet again what was done before.
    pub(super) fn give_back(&mut self) {
        let (Some(source), Some(pipe)) = (&mut self.source, &self.unread) else { return };
        let in_pipe = rustix::io::ioctl_fionread(pipe).unwrap_or(0);
        let unread = in_pipe.saturating_add(self.pending.len() as u64).min(self.taken);
        let _not_seekable = source.seek(SeekFrom::Current(-(unread.min(1 << 40) as i64)));
    }

    fn close_if_drained(&mut self) {
        if self.closing && (self.source.is_none() || self.exhausted) && self.pending.is_empty() {
            self.input = None;
        }
    }
}
