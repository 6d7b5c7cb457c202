//! Open a device: behind it lies the disk below every file, the memory, or another machine. Opened and
//! held, never read.

use crate::kernel::hold;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use rustix::fs::{CWD, Dev, FileType, Mode, makedev, mknodat};
use std::fs::OpenOptions;
use std::io;

const DEVICE: Escape = Escape {
    techniques: &["FR-DEVICE"],
    references: &["https://attack.mitre.org/techniques/T1006/", "CWE-732"],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
    // The user may not open it, or nothing is behind the node.
    absent: &[libc::ENOSYS, libc::EACCES, libc::EPERM, libc::ENXIO, libc::ENODEV],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/device",
        summary: "Hold a disk open, below the files of a file system",
        needs: &[Need::File("/dev/loop0")],
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| held(scene, "/dev/loop0")),
        python: Some(include_str!("device.py")),
        ..DEVICE
    },
    Escape {
        id: "fs-read/device.memory",
        summary: "Hold the memory of the machine open",
        needs: &[Need::File("/dev/mem")],
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::MountNamespace, Layer::Hook],
        witnesses: &["landlock/read-file"],
        native: Some(|scene| held(scene, "/dev/mem")),
        ..DEVICE
    },
    Escape {
        id: "fs-read/device.machine",
        summary: "Hold the maker of virtual machines open, whose code no filter sees",
        needs: &[Need::File("/dev/kvm")],
        witnesses: &["landlock/read-file"],
        native: Some(|scene| held(scene, "/dev/kvm")),
        ..DEVICE
    },
    Escape {
        id: "fs-read/device.tunnel",
        summary: "Hold the maker of network interfaces open",
        needs: &[Need::File("/dev/net/tun")],
        witnesses: &["landlock/read-file"],
        native: Some(|scene| held(scene, "/dev/net/tun")),
        ..DEVICE
    },
    Escape {
        id: "fs-read/device.file-system",
        summary: "Hold the maker of file systems open, whose files a program answers for",
        references: &["https://man7.org/linux/man-pages/man4/fuse.4.html", "CWE-732"],
        needs: &[Need::File("/dev/fuse")],
        witnesses: &["landlock/read-file"],
        native: Some(|scene| held(scene, "/dev/fuse")),
        ..DEVICE
    },
    Escape {
        id: "fs-read/device.own-node",
        summary: "Hold the maker of file systems open by an own node in the run directory",
        references: &["https://man7.org/linux/man-pages/man2/mknod.2.html", "CWE-732"],
        needs: &[Need::File("/dev/fuse"), Need::Capability(27, "CAP_MKNOD")],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene],
        witnesses: &[
            "hygiene/capabilities",
            "landlock/make-char",
            "landlock/place-run",
            "seccomp/mknodat",
        ],
        // `FUSE_MINOR` of linux/miscdevice.h.
        native: Some(|scene| own_node(scene, FileType::CharacterDevice, makedev(10, 229))),
        ..DEVICE
    },
    Escape {
        id: "fs-read/device.own-disk",
        summary: "Hold a disk open by an own node in the run directory",
        references: &["https://man7.org/linux/man-pages/man2/mknod.2.html", "CWE-732"],
        needs: &[Need::File("/dev/loop0"), Need::Capability(27, "CAP_MKNOD")],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene],
        witnesses: &[
            "hygiene/capabilities",
            "landlock/make-block",
            "landlock/place-run",
            "seccomp/mknodat",
        ],
        // `LOOP_MAJOR` of linux/major.h.
        native: Some(|scene| own_node(scene, FileType::BlockDevice, makedev(7, 0))),
        ..DEVICE
    },
];

fn own_node(scene: &Scene, kind: FileType, device: Dev) -> io::Result<Vec<u8>> {
    let path = scene.run().join("node");
    mknodat(CWD, &path, kind, Mode::from_raw_mode(0o600), device)?;
    held(scene, &path.to_string_lossy())
}

fn held(scene: &Scene, path: &str) -> io::Result<Vec<u8>> {
    hold::open(scene, OpenOptions::new().read(true), path)
}
