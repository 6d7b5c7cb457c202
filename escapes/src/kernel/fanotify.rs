//! Be told by the kernel what others do with files.

use super::hold::hold;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const GROUP: Escape = Escape {
    techniques: &["FM-FANOTIFYDENY"],
    references: &["https://man7.org/linux/man-pages/man7/fanotify.7.html"],
    decoys: &[HELD_DESCRIPTOR],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/fanotify",
        summary: "Hold a group that is told of what others do with files",
        stops: &[Layer::Seccomp],
        witnesses: &["seccomp/fanotify_init"],
        // Kernels before 5.13 refuse an ordinary user.
        absent: &[libc::ENOSYS, libc::EPERM],
        native: Some(|scene| {
            /// `FAN_REPORT_FID`, which an ordinary user must ask for.
            const BY_HANDLE: usize = 0x200;
            hold_group(scene, BY_HANDLE)
        }),
        ..GROUP
    },
    Escape {
        id: "kernel/fanotify.permission",
        summary: "Hold a group that is asked before others may open a file",
        needs: &[Need::Capability(21, "CAP_SYS_ADMIN")],
        stops: &[Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
        witnesses: &["hygiene/capabilities", "seccomp/fanotify_init"],
        // A kernel without `CONFIG_FANOTIFY_ACCESS_PERMISSIONS`.
        absent: &[libc::ENOSYS, libc::EINVAL],
        native: Some(|scene| {
            /// `FAN_CLASS_CONTENT`. Nothing is marked, so nobody is kept waiting.
            const ASKED: usize = 4;
            hold_group(scene, ASKED)
        }),
        ..GROUP
    },
];

fn hold_group(scene: &Scene, flags: usize) -> io::Result<Vec<u8>> {
    hold(scene, libc::SYS_fanotify_init, [flags, 0, 0, 0, 0, 0], "anon_inode:[fanotify]")
}
