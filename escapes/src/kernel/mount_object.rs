//! Hold a file system that is mounted nowhere: the newer calls make one without any path that a rule
//! could be about.

use super::hold::hold;
use crate::raw;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use std::os::fd::AsRawFd;

const OBJECT: Escape = Escape {
    techniques: &["KP-MOUNT"],
    references: &["https://man7.org/linux/man-pages/man2/fsopen.2.html"],
    needs: &[Need::Capability(21, "CAP_SYS_ADMIN")],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp, Layer::Hygiene],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/mount-object",
        summary: "Begin a file system that is mounted nowhere",
        witnesses: &["hygiene/capabilities", "seccomp/fsopen"],
        native: Some(|scene| {
            let kind = c"tmpfs".as_ptr() as usize;
            hold(scene, libc::SYS_fsopen, [kind, 0, 0, 0, 0, 0], "anon_inode:[fscontext]")
        }),
        ..OBJECT
    },
    Escape {
        id: "kernel/mount-object.complete",
        summary: "Hold a new file system that is mounted nowhere",
        // Landlock lets it be made, and refuses only to make a file in it.
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene],
        witnesses: &[
            "hygiene/capabilities",
            "landlock/make-reg",
            "landlock/write-file",
            "seccomp/fsconfig",
            "seccomp/fsmount",
            "seccomp/fsopen",
        ],
        native: Some(|scene| {
            /// `FSCONFIG_CMD_CREATE`, `linux/mount.h`.
            const CREATE: usize = 6;
            let kind = c"tmpfs".as_ptr() as usize;
            let context = raw::descriptor(libc::SYS_fsopen, [kind, 0, 0, 0, 0, 0])?;
            let number = context.as_raw_fd() as usize;
            raw::call(libc::SYS_fsconfig, [number, CREATE, 0, 0, 0, 0])?;
            let root = raw::descriptor(libc::SYS_fsmount, [number, 0, 0, 0, 0, 0])?;
            drop(context);
            // The link of its root is the same as that of many, so a file in it stands for it.
            let name = c"beyond".as_ptr() as usize;
            let flags = (libc::O_CREAT | libc::O_WRONLY) as usize;
            let root = root.as_raw_fd() as usize;
            hold(scene, libc::SYS_openat, [root, name, flags, 0o600, 0, 0], "/beyond")
        }),
        ..OBJECT
    },
];
