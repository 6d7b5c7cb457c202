//! A path-only descriptor needs no right and reads nothing. Opening its /proc name again turns it
//! into one that reads, without a path to the secret.

use harness::escape::{Escape, Layer};
use rustix::fs::{Mode, OFlags, open};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::{fs, io};

const REOPEN: Escape = Escape {
    techniques: &["FR-OPEN", "FM-OPATH"],
    references: &[
        "https://man7.org/linux/man-pages/man2/open.2.html",
        "https://github.com/oferchen/rsync/pull/7541",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/reopen",
        summary: "Open a secret for its path only, then open it again through /proc/self/fd",
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| again("/proc/self/fd", &scene.path("secret")?, "")),
        python: Some(include_str!("reopen.py")),
        ..REOPEN
    },
    Escape {
        id: "fs-read/reopen.dev",
        summary: "Open a secret for its path only, then open it again through /dev/fd",
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| again("/dev/fd", &scene.path("secret")?, "")),
        python: Some(include_str!("reopen.dev.py")),
        ..REOPEN
    },
    Escape {
        id: "fs-read/reopen.directory",
        summary: "Open the secret's directory for its path only and walk on from its /proc name",
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| {
            let secret = scene.path("secret")?;
            let name = secret.file_name().unwrap_or_default().to_string_lossy();
            again("/proc/self/fd", secret.parent().unwrap_or(Path::new("/")), &name)
        }),
        python: Some(include_str!("reopen.directory.py")),
        ..REOPEN
    },
];

fn again(descriptors: &str, place: &Path, rest: &str) -> io::Result<Vec<u8>> {
    let place = open(place, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let name = Path::new(descriptors).join(place.as_raw_fd().to_string());
    if rest.is_empty() { fs::read(name) } else { fs::read(name.join(rest)) }
}
