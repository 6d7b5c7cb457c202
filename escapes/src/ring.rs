//! A minimal io_uring: calls to the kernel that are entries in shared memory, so that the system-call
//! filter is asked about the ring's own calls only.

use crate::raw;
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};

/// What says that there are no rings: an unconfined process is refused one only where the host has switched
/// them off (`kernel.io_uring_disabled`).
pub(crate) const NO_RINGS: &[i32] = &[libc::ENOSYS, libc::EPERM];
/// The same for an entry that not every kernel with rings knows, which answers with EINVAL.
pub(crate) const NO_SUCH_ENTRY: &[i32] = &[libc::ENOSYS, libc::EPERM, libc::EINVAL];

/// What an entry asks for, by its number in `enum io_uring_op`, linux/io_uring.h.
pub(crate) mod operation {
    pub(crate) const SENDMSG: u32 = 9;
    pub(crate) const ACCEPT: u32 = 13;
    pub(crate) const CONNECT: u32 = 16;
    pub(crate) const OPENAT: u32 = 18;
    pub(crate) const STATX: u32 = 21;
    pub(crate) const READ: u32 = 22;
    pub(crate) const WRITE: u32 = 23;
    pub(crate) const OPENAT2: u32 = 28;
    pub(crate) const RENAMEAT: u32 = 35;
    pub(crate) const UNLINKAT: u32 = 36;
    pub(crate) const MKDIRAT: u32 = 37;
    pub(crate) const SYMLINKAT: u32 = 38;
    pub(crate) const LINKAT: u32 = 39;
    pub(crate) const SETXATTR: u32 = 42;
    pub(crate) const GETXATTR: u32 = 44;
    pub(crate) const SOCKET: u32 = 45;
    pub(crate) const BIND: u32 = 56;
    pub(crate) const LISTEN: u32 = 57;
}

/// What stands for the working directory where an entry has its descriptor.
pub(crate) const HERE: u32 = libc::AT_FDCWD as u32;

/// A ring for one entry at a time, in words of the layout that io_uring_setup(2) describes.
pub(crate) struct Ring {
    descriptor: OwnedFd,
    /// `struct io_uring_params`; the kernel has filled in the places of the fields.
    parameters: [u32; 30],
    fields: &'static [AtomicU32],
    entries: &'static [AtomicU32],
}

impl Ring {
    pub(crate) fn new() -> io::Result<Self> {
        let mut parameters = [0_u32; 30];
        let pointer = parameters.as_mut_ptr() as usize;
        let descriptor = raw::descriptor(libc::SYS_io_uring_setup, [1, pointer, 0, 0, 0, 0])?;
        // Both rings share one map since Linux 5.4; the completions lie last, 16 bytes each.
        let length = (parameters[COMPLETIONS] + 16 * parameters[1]) as usize;
        let flags = libc::MAP_SHARED | libc::MAP_POPULATE;
        let fields = raw::map_words(descriptor.as_fd(), 0, length.max(4096), flags)?;
        let entries = raw::map_words(descriptor.as_fd(), 0x1000_0000, 4096, flags)?;
        Ok(Self { descriptor, parameters, fields, entries })
    }

    fn field(&self, parameter: usize, index: usize) -> &AtomicU32 {
        &self.fields[self.parameters[parameter] as usize / 4 + index]
    }

    /// Opens a file, for its owner alone where it is made. The entry has the mode in the place of the length.
    pub(crate) fn open(&mut self, path: &CStr, flags: i32) -> io::Result<OwnedFd> {
        let path = path.as_ptr() as u64;
        let start = [operation::OPENAT, HERE];
        Ok(raw::adopt(self.perform_with(start, 0, path, 0o600, flags as u32, 0)?))
    }

    /// Writes the bytes.
    pub(crate) fn write(&mut self, descriptor: &OwnedFd, bytes: &[u8]) -> io::Result<i32> {
        let (start, length) = (bytes.as_ptr() as u64, bytes.len() as u32);
        self.perform([operation::WRITE, descriptor.as_raw_fd() as u32], 0, start, length)
    }

    /// Reads once, so many bytes at most.
    pub(crate) fn read(&mut self, descriptor: &OwnedFd, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; most];
        let (start, length) = (bytes.as_mut_ptr() as u64, bytes.len() as u32);
        let length =
            self.perform([operation::READ, descriptor.as_raw_fd() as u32], 0, start, length)?;
        bytes.truncate(usize::try_from(length).unwrap_or(0));
        Ok(bytes)
    }

    /// Submits one entry, waits for it and returns its result.
    pub(crate) fn perform(
        &mut self,
        start: [u32; 2],
        offset: u64,
        address: u64,
        length: u32,
    ) -> io::Result<i32> {
        self.perform_with(start, offset, address, length, 0, 0)
    }

    /// As [`Ring::perform`], with the flags of the operation and its third address.
    pub(crate) fn perform_with(
        &mut self,
        start: [u32; 2],
        offset: u64,
        address: u64,
        length: u32,
        flags: u32,
        third: u64,
    ) -> io::Result<i32> {
        let [opcode, descriptor] = start;
        let halves = |word: u64| [word as u32, (word >> 32) as u32];
        let ([offset, offset_high], [address, address_high]) = (halves(offset), halves(address));
        let [third, third_high] = halves(third);
        let words = [
            [opcode, descriptor, offset, offset_high],
            [address, address_high, length, flags],
            [0; 4],
            [third, third_high, 0, 0],
        ];
        for (entry, word) in self.entries.iter().zip(words.into_iter().flatten()) {
            entry.store(word, Ordering::Relaxed);
        }
        self.field(SUBMISSION_TAIL, 0).fetch_add(1, Ordering::Release);
        let number = self.descriptor.as_raw_fd() as usize;
        const GET_EVENTS: usize = 1;
        raw::call(libc::SYS_io_uring_enter, [number, 1, 1, GET_EVENTS, 0, 0])?;
        let head = self.field(COMPLETION_HEAD, 0).fetch_add(1, Ordering::Release);
        let completion = (head & self.field(COMPLETION_MASK, 0).load(Ordering::Relaxed)) as usize;
        let result = self.field(COMPLETIONS, 4 * completion + 2).load(Ordering::Acquire) as i32;
        if result < 0 { Err(io::Error::from_raw_os_error(-result)) } else { Ok(result) }
    }
}

// Where the parameters name the places of the fields.
const SUBMISSION_TAIL: usize = 11;
const COMPLETION_HEAD: usize = 20;
const COMPLETION_MASK: usize = 22;
const COMPLETIONS: usize = 25;
