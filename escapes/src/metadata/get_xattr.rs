//! Extended attributes are content beside the file: bytes of any kind that neither the right to read
//! files nor the modes of directories but those on the way protect.

#[cfg(target_os = "linux")]
use crate::own_names;
#[cfg(target_os = "linux")]
use crate::raw;
use harness::escape::{Escape, Layer};
#[cfg(target_os = "linux")]
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use rustix::fs::{CWD, Mode, OFlags, open};
#[cfg(target_os = "linux")]
use std::ffi::CString;
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Linux 6.13; libc does not know the number yet.
#[cfg(target_os = "linux")]
const GETXATTRAT: i64 = 464;

const XATTR: Escape = Escape {
    techniques: &["FM-GETXATTR"],
    references: &[
        "https://github.com/landlock-lsm/linux/issues/11",
        "https://man7.org/linux/man-pages/man7/xattr.7.html",
    ],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/get-xattr",
        summary: "Read an extended attribute of a file outside",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/getxattr", "hook/os.getxattr"],
        native: Some(|scene| value_of(&scene.path("attributed")?)),
        // Python has no such call on macOS.
        #[cfg(target_os = "linux")]
        python: Some(include_str!("get_xattr.py")),
        ..XATTR
    },
    Escape {
        id: "metadata/get-xattr.link",
        summary: "Read an extended attribute of a file outside without following links",
        witnesses: &["seccomp/lgetxattr"],
        native: Some(|scene| {
            let mut value = vec![0; 256];
            let length = rustix::fs::lgetxattr(scene.path("attributed")?, NAME, &mut value)?;
            value.truncate(length);
            Ok(value)
        }),
        ..XATTR
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "metadata/get-xattr.path-only",
        summary: "Read an extended attribute by the /proc name of a path-only descriptor",
        witnesses: &["seccomp/getxattr"],
        native: Some(by_descriptor),
        ..XATTR
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "metadata/get-xattr.root",
        summary: "Read an extended attribute of a file outside by the root of the own process",
        witnesses: &["seccomp/getxattr"],
        native: Some(|scene| value_of(&own_names::by_root(&scene.path("attributed")?))),
        ..XATTR
    },
    Escape {
        id: "metadata/get-xattr.directory",
        summary: "Read an extended attribute of a file outside through an own link to its directory",
        witnesses: &["seccomp/getxattr"],
        native: Some(|scene| {
            let link = scene.run().join("door");
            symlink(scene.path("outside")?, &link)?;
            value_of(&link.join("attributed"))
        }),
        ..XATTR
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "metadata/get-xattr.at",
        techniques: &["FM-GETXATTR", "SC-NEWSYSCALL"],
        summary: "Read an extended attribute of a file outside by getxattrat",
        references: &[
            "https://github.com/flatpak/flatpak/pull/4462",
            "https://man7.org/linux/man-pages/man7/xattr.7.html",
        ],
        witnesses: &["seccomp/getxattrat"],
        native: Some(at),
        ..XATTR
    },
];

const NAME: &str = "user.decoy";

fn value_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut value = vec![0; 256];
    let length = rustix::fs::getxattr(path, NAME, &mut value)?;
    value.truncate(length);
    Ok(value)
}

#[cfg(target_os = "linux")]
fn by_descriptor(scene: &Scene) -> io::Result<Vec<u8>> {
    let place = open(scene.path("attributed")?, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    value_of(&own_names::of_descriptor(&place))
}

#[cfg(target_os = "linux")]
fn at(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = CString::new(scene.clue("attributed")?.as_bytes())?;
    let mut value = vec![0_u8; 256];
    // `struct xattr_args`: where the value goes, its room, no flags.
    let place = [value.as_mut_ptr() as u64, value.len() as u64];
    let length = raw::call(
        GETXATTRAT,
        [
            CWD.as_raw_fd() as usize,
            path.as_ptr() as usize,
            0,
            c"user.decoy".as_ptr() as usize,
            place.as_ptr() as usize,
            size_of_val(&place),
        ],
    )?;
    value.truncate(usize::try_from(length).unwrap_or(0));
    Ok(value)
}
