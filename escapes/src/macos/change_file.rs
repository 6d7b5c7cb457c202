//! Change a file outside: the macOS form of what the family `fs-write` does.

use crate::fs_write::effect::done;
use crate::raw_macos::change_flags;
use harness::escape::{Escape, Layer};
use rustix::fs::{XattrFlags, setxattr};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::time::SystemTime;

const CHANGE: Escape = Escape {
    references: &["CWE-732", "https://attack.mitre.org/techniques/T1565/001/"],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/change-file",
        summary: "Append to a file outside that anybody may write",
        techniques: &["FW-WRITE"],
        native: Some(|scene| {
            let mut file = OpenOptions::new().append(true).open(scene.path("writable")?)?;
            done(file.write_all(b"planted\n"))
        }),
        ..CHANGE
    },
    Escape {
        id: "macos/change-file.create",
        summary: "Create a file outside",
        techniques: &["FW-CREATE"],
        native: Some(|scene| done(File::create_new(scene.path("deliverables")?.join("planted")))),
        ..CHANGE
    },
    Escape {
        id: "macos/change-file.truncate",
        summary: "Cut a file outside to nothing",
        techniques: &["FW-TRUNC"],
        native: Some(|scene| done(File::create(scene.path("writable")?))),
        ..CHANGE
    },
    Escape {
        id: "macos/change-file.mode",
        summary: "Let anybody read a secret outside",
        techniques: &["FW-CHMOD"],
        native: Some(|scene| {
            done(fs::set_permissions(scene.path("secret")?, Permissions::from_mode(0o644)))
        }),
        ..CHANGE
    },
    Escape {
        id: "macos/change-file.times",
        summary: "Make a file outside look old",
        techniques: &["FW-UTIME"],
        native: Some(|scene| {
            let file = File::open(scene.path("writable")?)?;
            done(file.set_modified(SystemTime::UNIX_EPOCH))
        }),
        ..CHANGE
    },
    Escape {
        id: "macos/change-file.attribute",
        summary: "Set an extended attribute of a file outside",
        techniques: &["FW-XATTR"],
        native: Some(|scene| {
            let path = scene.path("writable")?;
            done(setxattr(path, "user.planted", b"planted", XattrFlags::empty()))
        }),
        ..CHANGE
    },
    Escape {
        id: "macos/change-file.flags",
        summary: "Set a flag of a file outside",
        techniques: &["FW-IOCFLAGS"],
        native: Some(|scene| done(change_flags(&scene.path("writable")?, libc::UF_NODUMP))),
        ..CHANGE
    },
];
