//! The owner of a file outside. Root gives files away; the owner may at least name itself again,
//! which moves the change time and takes set-user bits off.

use super::effect::done;
use harness::escape::{Escape, Layer, Need};
use rustix::fs::{AtFlags, CWD, Gid, Uid, chownat};
use std::os::unix::fs::{chown, lchown};

const CHOWN: Escape = Escape {
    techniques: &["FW-CHOWN"],
    references: &[
        "https://github.com/landlock-lsm/linux/issues/11",
        "https://www.sentinelone.com/vulnerability-database/cve-2026-21716",
        "https://man7.org/linux/man-pages/man2/chown.2.html",
    ],
    needs: &[Need::Capability(0, "CAP_CHOWN")],
    stops: &[Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace, Layer::Seatbelt],
    silent: Some("a filter may answer success and change nothing, so that copying programs go on"),
    ..Escape::BLANK
};

/// An identity that no account has.
const NOBODY: u32 = 65_533;

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/chown",
        summary: "Give a file outside away",
        stops: &[
            Layer::Seccomp,
            Layer::Hygiene,
            Layer::MountNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &["hygiene/capabilities", "seccomp/chown"],
        native: Some(|scene| done(chown(scene.path("writable")?, Some(NOBODY), Some(NOBODY)))),
        python: Some(include_str!("chown.py")),
        ..CHOWN
    },
    Escape {
        id: "fs-write/chown.link",
        summary: "Give a symbolic link outside away",
        witnesses: &["hygiene/capabilities", "seccomp/lchown"],
        native: Some(|scene| done(lchown(scene.path("link")?, Some(NOBODY), Some(NOBODY)))),
        ..CHOWN
    },
    Escape {
        id: "fs-write/chown.at",
        summary: "Give a file outside away by fchownat",
        witnesses: &["hygiene/capabilities", "seccomp/fchownat"],
        native: Some(|scene| {
            let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
            let path = scene.path("writable")?;
            done(chownat(CWD, path, Some(user), Some(group), AtFlags::empty()))
        }),
        ..CHOWN
    },
    Escape {
        id: "fs-write/chown.same",
        summary: "Make the owner of a file outside its owner again, which moves its change time",
        needs: &[],
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/chown", "hook/os.chown"],
        native: Some(|scene| {
            let user = rustix::process::getuid().as_raw();
            done(chown(scene.path("writable")?, Some(user), None))
        }),
        python: Some(include_str!("chown.same.py")),
        ..CHOWN
    },
];
