//! The calls of System V IPC, by the functions of the C library.

use super::sysv::{Kind, LENGTH};
use crate::raw::{self, sysv};
use std::io;

impl Kind {
    /// The identifier of the object with this key; `flags` may ask to create it.
    pub(super) fn get(self, key: i32, flags: i32) -> io::Result<i32> {
        match self {
            Self::Memory => sysv::memory(key, LENGTH, flags),
            Self::Queue => sysv::queue(key, flags),
            Self::Semaphore => sysv::semaphore(key, flags),
        }
    }

    /// Removes the object from the kernel.
    pub(super) fn remove(self, identifier: i32) -> io::Result<()> {
        match self {
            Self::Memory => sysv::remove_memory(identifier),
            Self::Queue => sysv::remove_queue(identifier),
            Self::Semaphore => sysv::remove_semaphore(identifier),
        }
    }

    /// Puts the bytes where another process finds them; a semaphore holds their number.
    pub(super) fn write(self, identifier: i32, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Memory => {
                raw::Segment::attach(identifier, LENGTH)?.write(bytes);
                Ok(())
            }
            Self::Queue => sysv::send(identifier, bytes),
            Self::Semaphore => {
                sysv::set_value(identifier, i32::try_from(bytes.len()).map_err(io::Error::other)?)
            }
        }
    }

    /// What the object holds; from a queue the oldest message is taken.
    pub(super) fn read(self, identifier: i32) -> io::Result<Vec<u8>> {
        match self {
            Self::Memory => Ok(raw::Segment::attach(identifier, LENGTH)?.read()),
            Self::Queue => sysv::receive(identifier, LENGTH),
            Self::Semaphore => {
                let value = usize::try_from(sysv::value(identifier)?).map_err(io::Error::other)?;
                Ok(vec![0; value])
            }
        }
    }
}
