//! POSIX shared memory is a file below /dev/shm. A program that knows its name opens it by a call
//! that shows no path.

use super::descriptor::contents;
use fixtures::watch::shm::SHM_DEV;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use nix::fcntl::OFlag;
use nix::sys::mman::shm_open;
use nix::sys::stat::Mode;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "fs-read/shm-dev",
    summary: "Read a shared memory object of another program",
    techniques: &["FR-SHMDEV"],
    references: &[
        "https://github.com/luckyPipewrench/pipelock/pull/267",
        "https://man7.org/linux/man-pages/man7/shm_overview.7.html",
    ],
    decoys: &[SHM_DEV],
    // The hook refuses the module that has the call: it asks nobody.
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
    witnesses: &["landlock/read-file", "hook/import._posixshmem"],
    native: Some(read),
    python: Some(include_str!("shm_dev.py")),
    ..Escape::BLANK
}];

fn read(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = scene.path("shm-path")?;
    let name = path.file_name().unwrap_or_default();
    contents(shm_open(name, OFlag::O_RDONLY, Mode::empty())?)
}
