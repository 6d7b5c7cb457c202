//! Renaming removes what it lands on: it undoes a file where neither writing nor removing is allowed,
//! and it is atomic, so nobody sees it happen.

use super::effect::done;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::path::PathBuf;
use std::{fs, io};

const RENAME_OVER: Escape = Escape {
    techniques: &["FW-RENAMEOVER", "FW-DELETE"],
    references: &["https://man7.org/linux/man-pages/man2/rename.2.html"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/rename-over",
        summary: "Replace a file outside by renaming an own file over it",
        witnesses: &["layer/landlock", "hook/os.rename"],
        native: Some(|scene| done(fs::rename(own(scene)?, scene.path("writable")?))),
        python: Some(include_str!("rename_over.py")),
        ..RENAME_OVER
    },
    Escape {
        id: "fs-write/rename-over.exchange",
        summary: "Exchange an own file with one outside by renameat2",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["layer/landlock"],
        native: Some(|scene| {
            let (own, outside) = (own(scene)?, scene.path("writable")?);
            done(renameat_with(CWD, own, CWD, outside, RenameFlags::EXCHANGE))
        }),
        ..RENAME_OVER
    },
    Escape {
        id: "fs-write/rename-over.neighbour",
        summary: "Rename one file outside over its neighbour",
        witnesses: &["landlock/make-reg", "landlock/remove-file", "hook/os.rename"],
        native: Some(|scene| done(fs::rename(scene.path("secret")?, scene.path("writable")?))),
        python: Some(include_str!("rename_over.neighbour.py")),
        ..RENAME_OVER
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/rename-over.whiteout",
        summary: "Rename one file outside over its neighbour and leave a character node where it was",
        references: &["https://man7.org/linux/man-pages/man2/rename.2.html", "CWE-732"],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["landlock/make-reg", "landlock/remove-file", "seccomp/renameat2"],
        // Not every file system has whiteouts.
        absent: &[libc::EINVAL],
        native: Some(|scene| {
            let (from, to) = (scene.path("secret")?, scene.path("writable")?);
            done(renameat_with(CWD, from, CWD, to, RenameFlags::WHITEOUT))
        }),
        ..RENAME_OVER
    },
];

fn own(scene: &Scene) -> io::Result<PathBuf> {
    let own = scene.run().join("own");
    fs::write(&own, b"changed")?;
    Ok(own)
}
