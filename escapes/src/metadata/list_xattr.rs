//! The names of extended attributes are content beside the file, as their values are, and so are both
//! for whoever has a descriptor that was left open.

use super::named::Named;
use crate::raw;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::CWD;
use std::ffi::CString;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;

/// Linux 6.13; libc does not know the number yet.
const LISTXATTRAT: i64 = 465;

const NAMES: Escape = Escape {
    techniques: &["FM-GETXATTR"],
    references: &[
        "https://man7.org/linux/man-pages/man2/listxattr.2.html",
        "https://man7.org/linux/man-pages/man7/xattr.7.html",
    ],
    decoys: &[&Named],
    stops: &[Layer::Seccomp, Layer::MountNamespace],
    ..Escape::BLANK
};

const LEFT_OPEN: Escape = Escape {
    references: &["CWE-403", "https://man7.org/linux/man-pages/man2/listxattr.2.html"],
    stops: &[Layer::Seccomp, Layer::Hygiene],
    ..NAMES
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/list-xattr",
        summary: "List the extended attributes of a file outside",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Hook],
        witnesses: &["seccomp/listxattr", "hook/os.listxattr"],
        native: Some(|scene| by_path(scene, libc::SYS_listxattr)),
        python: Some(include_str!("list_xattr.py")),
        ..NAMES
    },
    Escape {
        id: "metadata/list-xattr.link",
        summary: "List the extended attributes of a file outside without following links",
        witnesses: &["seccomp/llistxattr"],
        native: Some(|scene| by_path(scene, libc::SYS_llistxattr)),
        ..NAMES
    },
    Escape {
        id: "metadata/list-xattr.at",
        summary: "List the extended attributes of a file outside by listxattrat",
        techniques: &["FM-GETXATTR", "SC-NEWSYSCALL"],
        witnesses: &["seccomp/listxattrat"],
        native: Some(|scene| {
            let path = CString::new(scene.clue("named")?.as_bytes())?;
            let (here, path) = (CWD.as_raw_fd() as usize, path.as_ptr() as usize);
            text(|place, room| raw::call(LISTXATTRAT, [here, path, 0, place, room, 0]))
        }),
        ..NAMES
    },
    Escape {
        id: "metadata/list-xattr.inherited",
        summary: "List the extended attributes of a file that the launcher left open",
        witnesses: &["hygiene/close-descriptors", "seccomp/flistxattr"],
        native: Some(|scene| {
            let file: usize = scene.number("named-descriptor")?;
            text(|place, room| raw::call(libc::SYS_flistxattr, [file, place, room, 0, 0, 0]))
        }),
        ..LEFT_OPEN
    },
    Escape {
        id: "metadata/list-xattr.inherited-value",
        summary: "Read an extended attribute of a file that the launcher left open",
        witnesses: &["hygiene/close-descriptors", "seccomp/fgetxattr"],
        native: Some(|scene| {
            let (file, name) = (scene.number("named-descriptor")?, c"user.named".as_ptr() as usize);
            text(|place, room| raw::call(libc::SYS_fgetxattr, [file, name, place, room, 0, 0]))
        }),
        ..LEFT_OPEN
    },
];

fn by_path(scene: &Scene, number: i64) -> io::Result<Vec<u8>> {
    let path = CString::new(scene.clue("named")?.as_bytes())?;
    text(|place, room| raw::call(number, [path.as_ptr() as usize, place, room, 0, 0, 0]))
}

/// What a call writes to the place and room that it is given.
fn text(fill: impl FnOnce(usize, usize) -> io::Result<i64>) -> io::Result<Vec<u8>> {
    let mut text = vec![0_u8; 256];
    let length = fill(text.as_mut_ptr() as usize, text.len())?;
    text.truncate(usize::try_from(length).unwrap_or(0));
    Ok(text)
}
