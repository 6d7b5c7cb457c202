//! What a program writes: its two streams, read as it writes and counted against its cap.

use super::reading::{is_passing, read_some};
use super::watch::Watch;
use crate::child::Event;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// One of the two streams.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream {
    Output,
    Error,
}

/// The launcher's ends of both.
#[derive(Debug)]
pub(super) struct Written {
    output: Option<File>,
    error: Option<File>,
    /// Of both, as far as there is a cap.
    bytes: u64,
}

impl Written {
    pub(super) fn new(output: OwnedFd, error: OwnedFd) -> Self {
        Self { output: Some(output.into()), error: Some(error.into()), bytes: 0 }
    }

    /// How many bytes were written, as far as there is a cap.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The stream, until its end.
    pub(super) fn open(&self, stream: Stream) -> Option<BorrowedFd<'_>> {
        let file = match stream {
            Stream::Output => &self.output,
            Stream::Error => &self.error,
        };
        file.as_ref().map(AsFd::as_fd)
    }

    /// What the stream holds, without waiting for more.
    pub(super) fn read(
        &mut self,
        stream: Stream,
        watch: &Watch,
        buffer: &mut Vec<u8>,
    ) -> io::Result<Option<Event>> {
        let file = match stream {
            Stream::Output => &mut self.output,
            Stream::Error => &mut self.error,
        };
        let Some(open) = file else { return Ok(None) };
        match read_some(open, buffer) {
            Ok(0) => {
                *file = None;
                Ok(None)
            }
            Ok(_length) => Ok(Some(self.account(stream, watch, buffer.clone()))),
            Err(error) if is_passing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Counts what was written and cuts off what is above the cap.
    fn account(&mut self, stream: Stream, watch: &Watch, mut bytes: Vec<u8>) -> Event {
        if let Some(left) = watch.output_left(self.bytes) {
            let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            self.bytes = self.bytes.saturating_add(length);
            bytes.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        }
        match stream {
            Stream::Output => Event::Output(bytes),
            Stream::Error => Event::Error(bytes),
        }
    }
}
