//! Emptying a file outside. The right to truncate came to Landlock later than the right to write, and
//! a policy that forgets it lets any content be destroyed.

use super::effect::done;
use harness::escape::{Escape, Layer};
use rustix::fs::{Mode, OFlags, open};
use std::fs::File;

const TRUNCATE: Escape = Escape {
    techniques: &["FW-TRUNCATE"],
    references: &[
        "https://man.archlinux.org/man/landlock.7.en.raw",
        "https://man7.org/linux/man-pages/man2/truncate.2.html",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/truncate",
        summary: "Empty a file outside by truncate, which opens nothing",
        witnesses: &["landlock/truncate", "hook/os.truncate"],
        native: Some(|scene| done(nix::unistd::truncate(&scene.path("writable")?, 0))),
        python: Some(include_str!("truncate.py")),
        ..TRUNCATE
    },
    Escape {
        id: "fs-write/truncate.opened",
        summary: "Empty a file outside by opening it for reading with O_TRUNC",
        witnesses: &["landlock/read-file", "landlock/truncate", "hook/open"],
        native: Some(|scene| {
            let flags = OFlags::RDONLY | OFlags::TRUNC | OFlags::CLOEXEC;
            done(open(scene.path("writable")?, flags, Mode::empty()))
        }),
        python: Some(include_str!("truncate.opened.py")),
        ..TRUNCATE
    },
    Escape {
        id: "fs-write/truncate.created",
        summary: "Empty a file outside by creating it again",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["landlock/truncate", "landlock/write-file"],
        native: Some(|scene| done(File::create(scene.path("writable")?))),
        ..TRUNCATE
    },
];
