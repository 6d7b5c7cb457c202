//! Shared memory by its name, which is no file on macOS.

use crate::fs_write::effect::done;
use fixtures::watch::shm_name::SHM_NAME;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use nix::fcntl::OFlag;
use nix::sys::mman::{shm_open, shm_unlink};
use nix::sys::stat::Mode;

const SHARED: Escape = Escape {
    techniques: &["MC-SHM"],
    references: &["https://github.com/luckyPipewrench/pipelock/pull/267"],
    decoys: &[SHM_NAME],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    twin: Twin::Memory,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/shared-memory",
        summary: "Leave a shared memory object in the kernel",
        native: Some(|scene| {
            let flags = OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_RDWR;
            done(shm_open(scene.text("shm-new")?, flags, Mode::S_IRUSR | Mode::S_IWUSR))
        }),
        ..SHARED
    },
    Escape {
        id: "macos/shared-memory.remove",
        summary: "Remove a shared memory object of another program",
        native: Some(|scene| done(shm_unlink(scene.text("shm-name")?))),
        ..SHARED
    },
];
