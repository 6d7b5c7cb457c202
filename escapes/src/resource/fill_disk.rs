//! Fill the disk through the one place that may be written, the run directory: by large files, by many
//! files, by space that is only reserved, and by a file that was deleted and is still open.

use super::stay::{self, LIMIT};
use backends::policy::{Bound, Limits};
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Finish, Limit};
use harness::scene::Scene;
use harness::twin::Twin;
#[cfg(target_os = "linux")]
use nix::fcntl::{FallocateFlags, fallocate};
use std::fs::{self, File};
#[cfg(target_os = "macos")]
use std::io;
#[cfg(target_os = "linux")]
use std::io::{self, Write};

const BYTES: u64 = 4 << 20;
const ENTRIES: u64 = 200;

fn narrow(limits: &mut Limits) {
    limits.run_directory_bytes = Bound::At(BYTES);
    limits.run_directory_entries = Bound::At(ENTRIES);
}

const FILL: Escape = Escape {
    techniques: &["RA-DISKFILL"],
    references: &["https://man7.org/linux/man-pages/man2/setrlimit.2.html"],
    limit: Some(Limit { narrow, ends: &[Finish::QuotaExceeded], ..Limit::BLANK }),
    // The launcher looks at intervals, so what it allows is a moment.
    decoys: &[&Usage { what: What::DiskBytes, above: BYTES, milliseconds: 2_000 }],
    twin: Twin::OwnTree,
    ..LIMIT
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "resource/fill-disk",
        summary: "Write 8 MiB in two files where 4 MiB are allowed, each file below its own limit",
        witnesses: &["limits/run-directory-bytes"],
        native: Some(|scene| {
            for name in ["first", "second"] {
                fs::write(scene.run().join(name), vec![1; 4 << 20])?;
            }
            cleared(scene, stay::idle(scene), &["first", "second"])
        }),
        python: Some(concat!(include_str!("stay.py"), include_str!("fill_disk.py"))),
        ..FILL
    },
    Escape {
        id: "resource/fill-disk.entries",
        summary: "Make 300 empty files where 200 are allowed",
        decoys: &[&Usage { what: What::DiskEntries, above: ENTRIES, milliseconds: 2_000 }],
        witnesses: &["limits/run-directory-entries"],
        native: Some(|scene| {
            let folder = scene.run().join("many");
            fs::create_dir(&folder)?;
            for number in 0..300 {
                File::create(folder.join(number.to_string()))?;
            }
            let ended = stay::idle(scene);
            fs::remove_dir_all(folder)?;
            ended
        }),
        ..FILL
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "resource/fill-disk.reserve",
        summary: "Reserve 8 MiB for a file that stays empty where 4 MiB are allowed",
        references: &["https://man7.org/linux/man-pages/man2/fallocate.2.html"],
        witnesses: &["limits/run-directory-bytes"],
        absent: &[libc::ENOSYS, libc::EOPNOTSUPP],
        native: Some(|scene| {
            let file = File::create(scene.run().join("first"))?;
            fallocate(&file, FallocateFlags::FALLOC_FL_KEEP_SIZE, 0, 8 << 20)?;
            cleared(scene, stay::idle(scene), &["first"])
        }),
        ..FILL
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "resource/fill-disk.deleted",
        summary: "Write 8 MiB into a file that has no name any more, where 4 MiB are allowed",
        techniques: &["RA-UNLINKEDOPEN"],
        references: &["https://man7.org/linux/man-pages/man2/unlink.2.html"],
        witnesses: &["limits/run-directory-bytes"],
        native: Some(|scene| {
            let name = scene.run().join("first");
            let mut file = File::create(&name)?;
            fs::remove_file(&name)?;
            file.write_all(&vec![1; 8 << 20])?;
            stay::idle(scene)
        }),
        python: Some(concat!(include_str!("stay.py"), include_str!("fill_disk.deleted.py"))),
        ..FILL
    },
];

/// Removes what the act left, so that the next one has room.
fn cleared(scene: &Scene, ended: io::Result<Vec<u8>>, names: &[&str]) -> io::Result<Vec<u8>> {
    for name in names {
        fs::remove_file(scene.run().join(name))?;
    }
    ended
}
