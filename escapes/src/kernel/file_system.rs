//! Shut a file system down, or have it write everything to its disk: calls on any descriptor of it, that
//! concern whoever else uses it. Only a volume of the trial's own is touched, but for the call that names
//! none.

use super::volume::Volume;
use crate::raw;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const VOLUME: Escape = Escape {
    needs: &[
        Need::Capability(21, "CAP_SYS_ADMIN"),
        Need::HostUser,
        Need::File("/dev/loop-control"),
        Need::Program("mkfs.ext4"),
    ],
    decoys: &[&Volume],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/file-system",
        summary: "Shut a file system down by an ioctl on a directory of it, left open",
        techniques: &["KP-FSSHUTDOWN"],
        references: &["https://docs.kernel.org/filesystems/ext4/index.html", "CWE-250"],
        stops: &[Layer::Seccomp, Layer::Hygiene, Layer::Hook],
        witnesses: &["hygiene/capabilities", "hygiene/close-descriptors", "seccomp/ioctl"],
        native: Some(|scene| {
            /// `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`, `uapi/linux/ext4.h`.
            const SHUTDOWN: usize = 0x8004_587d;
            let how = 2_u32;
            let volume = scene.number("inherited-volume")?;
            raw::call(libc::SYS_ioctl, [volume, SHUTDOWN, &raw const how as usize, 0, 0, 0])?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("file_system.py")),
        ..VOLUME
    },
    Escape {
        id: "kernel/file-system.sync",
        summary: "Have one file system write everything to its disk, by a directory of it, left open",
        techniques: &["KP-SYNC"],
        references: &["https://man7.org/linux/man-pages/man2/sync.2.html", "CWE-400"],
        stops: &[Layer::Seccomp, Layer::Hygiene],
        witnesses: &["hygiene/close-descriptors", "seccomp/syncfs"],
        native: Some(|scene| {
            let volume = scene.number("inherited-volume")?;
            written(scene, || raw::call(libc::SYS_syncfs, [volume, 0, 0, 0, 0, 0]))
        }),
        ..VOLUME
    },
    Escape {
        id: "kernel/file-system.sync-all",
        summary: "Have all file systems of the host write everything to their disks, which all others wait for",
        techniques: &["KP-SYNC"],
        references: &["https://man7.org/linux/man-pages/man2/sync.2.html", "CWE-400"],
        stops: &[Layer::Seccomp],
        witnesses: &["seccomp/sync"],
        native: Some(|scene| written(scene, || raw::call(libc::SYS_sync, [0; 6]))),
        ..VOLUME
    },
    Escape {
        id: "kernel/file-system.sync-library",
        summary: "Have them do so by the function of the C library, which cannot fail",
        techniques: &["KP-SYNC"],
        references: &["https://man7.org/linux/man-pages/man2/sync.2.html", "CWE-400"],
        stops: &[Layer::Seccomp],
        witnesses: &["seccomp/sync"],
        silent: Some("sync(3) tells no error"),
        python: Some(include_str!("file_system.sync-library.py")),
        ..VOLUME
    },
];

/// Has the watcher write to the volume, acts, and has it look at the disk.
fn written(scene: &Scene, act: impl FnOnce() -> io::Result<i64>) -> io::Result<Vec<u8>> {
    scene.show("write")?;
    act()?;
    scene.show("check")?;
    Ok(Vec::new())
}
