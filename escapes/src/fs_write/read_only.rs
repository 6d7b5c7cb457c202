//! Open for writing what is granted for reading. Nothing is written.

use fixtures::watch::held::HELD_FILE;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use std::io;

const READ_ONLY: Escape = Escape {
    techniques: &["FW-WRITE"],
    references: &["https://man.archlinux.org/man/landlock.7.en.raw", "CWE-732"],
    decoys: &[HELD_FILE],
    // An ordinary user may not write to what the system owns.
    absent: &[libc::EACCES, libc::EROFS],
    stops: &[Layer::Landlock, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/read-only",
        summary: "Hold a device, a library or a file of the system open for writing that may be read",
        witnesses: &[
            "landlock/place-device",
            "landlock/place-directory",
            "landlock/place-file",
            "landlock/write-file",
            "hook/open",
            "hook/read",
            "hook/write-flag.0o1",
        ],
        native: Some(hold),
        python: Some(include_str!("read_only.py")),
        ..READ_ONLY
    },
    Escape {
        id: "fs-write/read-only.update",
        summary: "Hold a module of the interpreter open for reading and writing that may be read",
        witnesses: &["landlock/write-file", "hook/open", "hook/write-flag.0o2"],
        python: Some(include_str!("read_only.update.py")),
        ..READ_ONLY
    },
];

/// What every program may read on the hosts that we know, where it exists: devices, what the loader and
/// the C library read, and a file of each folder. Not the loader: while it is open for writing no program
/// of the host can start (ETXTBSY), be it this one's neighbour.
#[cfg(target_os = "linux")]
const PLACES: [&str; 11] = [
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
    "/etc/ld.so.cache",
    "/etc/ssl/openssl.cnf",
    "/usr/lib/locale/C.utf8/LC_CTYPE",
    "/usr/lib/locale/locale-archive",
    "/usr/share/zoneinfo/UTC",
    "/usr/share/zoneinfo/Etc/UTC",
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/aarch64-linux-gnu/libc.so.6",
];

#[cfg(target_os = "macos")]
const PLACES: [&str; 5] = [
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/usr/lib/dyld",
    "/System/Library/CoreServices/SystemVersion.plist",
];

fn hold(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut refused = None;
    for place in PLACES {
        match open(place, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty()) {
            Ok(_held) => {
                let path = std::fs::canonicalize(place)?;
                scene.show(&format!("writes {}", path.display()))?;
                return Ok(Vec::new());
            }
            Err(Errno::NOENT) => {}
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.unwrap_or(Errno::NOENT).into())
}
