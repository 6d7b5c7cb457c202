//! `records.jsonl`: one record a line, written whole or not at all, and read without mercy.

use super::Record;
use crate::text;
use std::io::{self, BufRead, Read, Write};

/// The most bytes that a line may have, its newline included. The plan of a whole catalogue against
/// many backends needs a small part of it.
pub const LINE_LIMIT: u64 = 16 << 20;

/// Appends records to a file, a pipe or a buffer.
#[derive(Debug)]
pub struct Writer<W> {
    sink: W,
}

impl<W: Write> Writer<W> {
    /// Begins to append to a sink, which should not buffer.
    pub fn new(sink: W) -> Self {
        Self { sink }
    }

    /// Appends one record as one line, in one write, and flushes, so that a run which is killed
    /// leaves whole lines.
    ///
    /// # Errors
    /// When the line would be longer than [`LINE_LIMIT`] or the sink fails.
    pub fn append(&mut self, record: &Record) -> Result<(), WriteError> {
        let line = line(record)?;
        if line.len() as u64 > LINE_LIMIT {
            return Err(WriteError::TooLong { bytes: line.len() });
        }
        self.sink.write_all(&line)?;
        self.sink.flush()?;
        Ok(())
    }
}

/// A record could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The record has no form as JSON.
    #[error("write a record as JSON: {0}")]
    Form(#[from] serde_json::Error),
    /// Nobody could read it back.
    #[error("write a record of {bytes} bytes: the limit is {LINE_LIMIT}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The sink failed.
    #[error("write a record: {0}")]
    Sink(#[from] io::Error),
}

/// Reads all records, exactly as [`Writer`] writes them: no other form of the same record is taken,
/// so that nothing can hide in a field that nobody reads.
///
/// # Errors
/// The first line that is not such a record, by its number.
pub fn read(mut source: impl BufRead) -> Result<Vec<Record>, ReadError> {
    let mut records = Vec::new();
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let read = source
            .by_ref()
            .take(LINE_LIMIT)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| ReadError::Source { line: number, source: error })?;
        if read == 0 {
            break;
        }
        if bytes.last() != Some(&b'\n') {
            return Err(if read as u64 == LINE_LIMIT {
                ReadError::TooLong { line: number }
            } else {
                ReadError::Cut { line: number }
            });
        }
        records.push(parse(number, &bytes)?);
    }
    if records.is_empty() { Err(ReadError::Empty) } else { Ok(records) }
}

/// Why records could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no record at all.
    #[error("read the records: there is none")]
    Empty,
    /// The source failed.
    #[error("read the records: line {line}: {source}")]
    Source {
        /// Where, counted from 1.
        line: usize,
        /// The error of the source.
        source: io::Error,
    },
    /// The line has no end within the limit.
    #[error("read the records: line {line} is longer than {LINE_LIMIT} bytes")]
    TooLong {
        /// Where, counted from 1.
        line: usize,
    },
    /// The last line has no newline.
    #[error("read the records: line {line} is cut off")]
    Cut {
        /// Where, counted from 1.
        line: usize,
    },
    /// The line is no record.
    #[error("read the records: line {line}: {}", text::line(&.source.to_string()))]
    NoRecord {
        /// Where, counted from 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The line is a record in another form than the one that is written.
    #[error("read the records: line {line} is not in the form that is written")]
    Form {
        /// Where, counted from 1.
        line: usize,
    },
}

fn parse(number: usize, bytes: &[u8]) -> Result<Record, ReadError> {
    let no_record = |source| ReadError::NoRecord { line: number, source };
    let record: Record = serde_json::from_slice(bytes).map_err(no_record)?;
    if line(&record).map_err(no_record)? == bytes {
        Ok(record)
    } else {
        Err(ReadError::Form { line: number })
    }
}

fn line(record: &Record) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests;
