//! Use POSIX shared memory, whose objects are files of a directory that no path of the program shows.

use fixtures::watch::shm::SHM_DEV;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::fcntl::OFlag;
use nix::sys::mman::{shm_open, shm_unlink};
use nix::sys::stat::Mode;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

const SHARED: Escape = Escape {
    techniques: &["IP-SHMNAMED"],
    references: &[
        "https://man7.org/linux/man-pages/man7/shm_overview.7.html",
        "https://github.com/luckyPipewrench/pipelock/pull/267",
    ],
    decoys: &[SHM_DEV],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/shm-named",
        summary: "Read a shared memory object of another program",
        witnesses: &["landlock/read-file", "hook/import._posixshmem"],
        native: Some(read),
        python: Some(include_str!("shm_named.py")),
        ..SHARED
    },
    Escape {
        id: "ipc/shm-named.write",
        summary: "Overwrite a shared memory object of another program",
        witnesses: &["landlock/read-file", "landlock/write-file"],
        native: Some(|scene| {
            let object = shm_open(&*name(scene, "shm-path")?, OFlag::O_RDWR, Mode::empty())?;
            File::from(object).write_all(scene.nonce().as_bytes())?;
            Ok(Vec::new())
        }),
        ..SHARED
    },
    Escape {
        id: "ipc/shm-named.remove",
        summary: "Remove a shared memory object of another program",
        witnesses: &["landlock/remove-file"],
        native: Some(|scene| {
            shm_unlink(&*name(scene, "shm-path")?)?;
            Ok(Vec::new())
        }),
        ..SHARED
    },
    Escape {
        id: "ipc/shm-named.leave",
        summary: "Leave a shared memory object in the memory of the host",
        witnesses: &["landlock/make-reg", "hook/import._posixshmem"],
        native: Some(|scene| {
            let flags = OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_RDWR;
            shm_open(&*name(scene, "shm-new")?, flags, Mode::S_IRUSR | Mode::S_IWUSR)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("shm_named.leave.py")),
        ..SHARED
    },
];

/// The last part of a clue that is a path.
fn name(scene: &Scene, clue: &str) -> io::Result<String> {
    let path = scene.text(clue)?;
    let name = Path::new(path).file_name().ok_or(io::ErrorKind::InvalidData)?;
    Ok(format!("/{}", name.to_string_lossy()))
}

fn read(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let object = shm_open(&*name(scene, "shm-path")?, OFlag::O_RDONLY, Mode::empty())?;
    File::from(object).read_to_end(&mut bytes)?;
    Ok(bytes)
}
