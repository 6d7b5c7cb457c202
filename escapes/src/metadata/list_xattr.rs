//! The names of extended attributes are content beside the file, as their values are, and so are both
//! for whoever has a descriptor that was left open.

use super::named::Named;
use crate::raw;
use harness::escape::{Escape, Layer};
#[cfg(target_os = "linux")]
use rustix::fs::CWD;
use rustix::fs::{fgetxattr, flistxattr, listxattr, llistxattr};
#[cfg(target_os = "linux")]
use std::ffi::CString;
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;

/// Linux 6.13; libc does not know the number yet.
#[cfg(target_os = "linux")]
const LISTXATTRAT: i64 = 465;

const NAMES: Escape = Escape {
    techniques: &["FM-GETXATTR"],
    references: &[
        "https://man7.org/linux/man-pages/man2/listxattr.2.html",
        "https://man7.org/linux/man-pages/man7/xattr.7.html",
    ],
    decoys: &[&Named],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt],
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
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/listxattr", "hook/os.listxattr"],
        native: Some(|scene| text(|names| Ok(listxattr(scene.path("named")?, names)?))),
        // Python has no such call on macOS.
        #[cfg(target_os = "linux")]
        python: Some(include_str!("list_xattr.py")),
        ..NAMES
    },
    Escape {
        id: "metadata/list-xattr.link",
        summary: "List the extended attributes of a file outside without following links",
        witnesses: &["seccomp/llistxattr"],
        native: Some(|scene| text(|names| Ok(llistxattr(scene.path("named")?, names)?))),
        ..NAMES
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "metadata/list-xattr.at",
        summary: "List the extended attributes of a file outside by listxattrat",
        techniques: &["FM-GETXATTR", "SC-NEWSYSCALL"],
        witnesses: &["seccomp/listxattrat"],
        native: Some(|scene| {
            let path = CString::new(scene.clue("named")?.as_bytes())?;
            let (here, path) = (CWD.as_raw_fd() as usize, path.as_ptr() as usize);
            text(|names| {
                let (place, room) = (names.as_mut_ptr() as usize, names.len());
                let length = raw::call(LISTXATTRAT, [here, path, 0, place, room, 0])?;
                Ok(usize::try_from(length).unwrap_or(0))
            })
        }),
        ..NAMES
    },
    Escape {
        id: "metadata/list-xattr.inherited",
        summary: "List the extended attributes of a file that the launcher left open",
        witnesses: &["hygiene/close-descriptors", "seccomp/flistxattr"],
        native: Some(|scene| {
            let file = raw::borrow(scene.number("named-descriptor")?);
            text(|names| Ok(flistxattr(file, names)?))
        }),
        ..LEFT_OPEN
    },
    Escape {
        id: "metadata/list-xattr.inherited-value",
        summary: "Read an extended attribute of a file that the launcher left open",
        witnesses: &["hygiene/close-descriptors", "seccomp/fgetxattr"],
        native: Some(|scene| {
            let file = raw::borrow(scene.number("named-descriptor")?);
            text(|value| Ok(fgetxattr(file, "user.named", value)?))
        }),
        ..LEFT_OPEN
    },
];

/// What a call writes to the place that it is given.
fn text(fill: impl FnOnce(&mut [u8]) -> io::Result<usize>) -> io::Result<Vec<u8>> {
    let mut text = vec![0_u8; 256];
    let length = fill(&mut text)?;
    text.truncate(length);
    Ok(text)
}
