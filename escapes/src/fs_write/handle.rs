//! File handles name a file without a path, and open it for writing as well.

use super::effect::done;
use crate::fs_read::handles::again;
use harness::escape::{Escape, Layer, Need};
use rustix::fs::{OFlags, ftruncate};
use std::fs::File;
use std::io::Write;

const HANDLE: Escape = Escape {
    references: &["https://man7.org/linux/man-pages/man2/open_by_handle_at.2.html"],
    needs: &[Need::Capability(2, "CAP_DAC_READ_SEARCH")],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/handle",
        summary: "Write to a file outside through the file handle that the kernel gives for its path",
        techniques: &["FW-WRITE"],
        witnesses: &[
            "hygiene/capabilities",
            "landlock/write-file",
            "seccomp/name_to_handle_at",
            "seccomp/open_by_handle_at",
        ],
        native: Some(|scene| {
            let file = again(scene, "writable", OFlags::WRONLY)?;
            done(File::from(file).write_all(b"changed"))
        }),
        ..HANDLE
    },
    Escape {
        id: "fs-write/handle.truncate",
        summary: "Empty a file outside through the file handle that the kernel gives for its path",
        techniques: &["FW-TRUNCATE"],
        witnesses: &[
            "hygiene/capabilities",
            "landlock/truncate",
            "landlock/write-file",
            "seccomp/name_to_handle_at",
            "seccomp/open_by_handle_at",
        ],
        native: Some(|scene| done(ftruncate(again(scene, "writable", OFlags::WRONLY)?, 0))),
        ..HANDLE
    },
];
