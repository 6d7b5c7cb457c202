//! Take a share of what all processes of a user have in common. With the whole of it nobody of that user
//! would get any more; the share is small and is given back.

use crate::raw;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;
use std::os::fd::OwnedFd;

const SHARE: Escape = Escape {
    techniques: &["KP-KEYRINGQUOTA"],
    references: &["https://man7.org/linux/man-pages/man7/inotify.7.html", "CWE-770"],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp],
    witnesses: &["seccomp/inotify_init1"],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/user-quota",
        summary: "Hold watchers of files, of which a user has 128",
        native: Some(|scene| watchers(scene, libc::SYS_inotify_init1)),
        ..SHARE
    },
    #[cfg(target_arch = "x86_64")]
    Escape {
        id: "kernel/user-quota.old",
        summary: "Hold watchers of files by the call that came first",
        witnesses: &["seccomp/inotify_init"],
        native: Some(|scene| watchers(scene, libc::SYS_inotify_init)),
        ..SHARE
    },
];

fn watchers(scene: &Scene, number: i64) -> io::Result<Vec<u8>> {
    let share: io::Result<Vec<OwnedFd>> =
        (0..4).map(|_| raw::descriptor(number, [0; 6])).collect();
    let _share = share?;
    scene.show("descriptor anon_inode:inotify")?;
    Ok(Vec::new())
}
