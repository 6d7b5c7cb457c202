//! The calls of System V IPC, as Linux numbers them.

use super::sysv::{Kind, LENGTH};
use crate::raw;
use std::io;

const NO_WAIT: usize = libc::IPC_NOWAIT as usize;

impl Kind {
    /// The identifier of the object with this key; `flags` may ask to create it.
    pub(super) fn get(self, key: i32, flags: i32) -> io::Result<i32> {
        let (key, flags) = (key as usize, flags as usize);
        let identifier = match self {
            Self::Memory => raw::call(libc::SYS_shmget, [key, LENGTH, flags, 0, 0, 0]),
            Self::Queue => raw::call(libc::SYS_msgget, [key, flags, 0, 0, 0, 0]),
            Self::Semaphore => raw::call(libc::SYS_semget, [key, 1, flags, 0, 0, 0]),
        }?;
        Ok(identifier as i32)
    }

    /// Removes the object from the kernel.
    pub(super) fn remove(self, identifier: i32) -> io::Result<()> {
        let (identifier, remove) = (identifier as usize, libc::IPC_RMID as usize);
        match self {
            Self::Memory => raw::call(libc::SYS_shmctl, [identifier, remove, 0, 0, 0, 0]),
            Self::Queue => raw::call(libc::SYS_msgctl, [identifier, remove, 0, 0, 0, 0]),
            Self::Semaphore => raw::call(libc::SYS_semctl, [identifier, 0, remove, 0, 0, 0]),
        }?;
        Ok(())
    }

    /// Puts the bytes where another process finds them; a semaphore holds their number.
    pub(super) fn write(self, identifier: i32, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Memory => raw::Segment::attach(identifier, LENGTH)?.write(bytes),
            Self::Queue => {
                let message = [&1_u64.to_ne_bytes(), bytes].concat();
                let address = message.as_ptr() as usize;
                let arguments = [identifier as usize, address, bytes.len(), NO_WAIT, 0, 0];
                raw::call(libc::SYS_msgsnd, arguments)?;
            }
            Self::Semaphore => {
                let set = libc::SETVAL as usize;
                let arguments = [identifier as usize, 0, set, bytes.len(), 0, 0];
                raw::call(libc::SYS_semctl, arguments)?;
            }
        }
        Ok(())
    }

    /// What the object holds; from a queue the oldest message is taken.
    pub(super) fn read(self, identifier: i32) -> io::Result<Vec<u8>> {
        match self {
            Self::Memory => Ok(raw::Segment::attach(identifier, LENGTH)?.read()),
            Self::Queue => {
                let mut message = vec![0; 8 + LENGTH];
                let address = message.as_mut_ptr() as usize;
                let arguments = [identifier as usize, address, LENGTH, 0, NO_WAIT, 0];
                let length = raw::call(libc::SYS_msgrcv, arguments)?;
                message.truncate(8 + length as usize);
                Ok(message.split_off(8))
            }
            Self::Semaphore => {
                let get = libc::GETVAL as usize;
                let value = raw::call(libc::SYS_semctl, [identifier as usize, 0, get, 0, 0, 0])?;
                Ok(vec![0; value as usize])
            }
        }
    }
}
