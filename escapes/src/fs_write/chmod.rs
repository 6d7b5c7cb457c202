//! The mode of a file outside: no right of Landlock covers it, and the owner needs nothing else.

use super::effect::done;
#[cfg(target_os = "linux")]
use crate::own_names;
#[cfg(target_os = "linux")]
use crate::raw;
use harness::escape::{Escape, Layer};
#[cfg(target_os = "linux")]
use harness::scene::Scene;
use rustix::fs::{CWD, Mode, chmodat};
#[cfg(target_os = "linux")]
use rustix::fs::{OFlags, open};
#[cfg(target_os = "linux")]
use std::ffi::CString;
use std::fs::{self, Permissions};
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const CHMOD: Escape = Escape {
    techniques: &["FW-CHMOD"],
    references: &[
        "https://github.com/landlock-lsm/linux/issues/11",
        "https://github.com/nolabs-ai/nono/issues/914",
        "https://github.com/multikernel/sandlock/pull/211",
    ],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt],
    silent: Some("a filter may answer success and change nothing, so that copying programs go on"),
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/chmod",
        summary: "Change the mode of a file outside",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/chmod", "hook/os.chmod"],
        native: Some(|scene| by_path(&scene.path("writable")?, 0o640)),
        python: Some(include_str!("chmod.py")),
        ..CHMOD
    },
    Escape {
        id: "fs-write/chmod.directory",
        summary: "Close a directory outside to everybody",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/chmod", "hook/os.chmod"],
        native: Some(|scene| by_path(&scene.path("deliverables")?, 0)),
        python: Some(include_str!("chmod.directory.py")),
        ..CHMOD
    },
    Escape {
        id: "fs-write/chmod.set-user",
        summary: "Let a program outside run with its owner's identity",
        references: &["CWE-250", "https://attack.mitre.org/techniques/T1548/001/"],
        witnesses: &["seccomp/chmod"],
        native: Some(|scene| by_path(&scene.path("script")?, 0o4755)),
        ..CHMOD
    },
    Escape {
        id: "fs-write/chmod.at",
        summary: "Change the mode of a file outside by fchmodat",
        witnesses: &["seccomp/fchmodat"],
        native: Some(|scene| {
            let mode = Mode::from_raw_mode(0o640);
            done(chmodat(CWD, scene.path("writable")?, mode, rustix::fs::AtFlags::empty()))
        }),
        ..CHMOD
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/chmod.at2",
        techniques: &["FW-CHMOD", "SC-NEWSYSCALL"],
        summary: "Change the mode of a file outside by fchmodat2",
        references: &["https://man7.org/linux/man-pages/man2/chmod.2.html"],
        witnesses: &["seccomp/fchmodat2"],
        native: Some(at2),
        ..CHMOD
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/chmod.path-only",
        summary: "Change the mode of a file outside by the /proc name of a path-only descriptor",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Hook],
        witnesses: &["seccomp/chmod", "hook/open", "hook/os.chmod"],
        native: Some(|scene| {
            let place = open(scene.path("writable")?, OFlags::PATH, Mode::empty())?;
            by_path(&own_names::of_descriptor(&place), 0o640)
        }),
        python: Some(include_str!("chmod.path_only.py")),
        ..CHMOD
    },
];

fn by_path(path: &Path, mode: u32) -> io::Result<Vec<u8>> {
    done(fs::set_permissions(path, Permissions::from_mode(mode)))
}

#[cfg(target_os = "linux")]
fn at2(scene: &Scene) -> io::Result<Vec<u8>> {
    const SYMLINK_NOFOLLOW: usize = libc::AT_SYMLINK_NOFOLLOW as usize;
    let path = CString::new(scene.clue("writable")?.as_bytes())?;
    let (directory, path) = (CWD.as_raw_fd() as usize, path.as_ptr() as usize);
    done(raw::call(libc::SYS_fchmodat2, [directory, path, 0o640, SYMLINK_NOFOLLOW, 0, 0]))
}
