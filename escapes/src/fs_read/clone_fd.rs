//! The mount calls that work on descriptors give the secret's directory again in a mount that stands
//! nowhere: no path of the host leads there, and no mount table shows it.

use super::descriptor::contents;
use crate::raw;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Linux 6.15; libc does not know the number yet.
const OPEN_TREE_ATTR: i64 = 467;

const CLONE: Escape = Escape {
    techniques: &["FR-CLONEFD"],
    references: &[
        "https://github.com/flatpak/flatpak/pull/4456",
        "https://man7.org/linux/man-pages/man2/open_tree.2.html",
    ],
    needs: &[Need::Capability(21, "CAP_SYS_ADMIN")],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/clone-fd",
        summary: "Read a secret beneath a detached copy of its mount made by open_tree",
        witnesses: &["hygiene/capabilities", "landlock/read-file", "seccomp/open_tree"],
        native: Some(|scene| detached(scene, libc::SYS_open_tree, 0)),
        ..CLONE
    },
    Escape {
        id: "fs-read/clone-fd.attribute",
        summary: "Read a secret beneath a detached copy of its mount made by open_tree_attr",
        references: &["https://man7.org/linux/man-pages/man2/open_tree_attr.2.html"],
        witnesses: &["hygiene/capabilities", "landlock/read-file", "seccomp/open_tree_attr"],
        native: Some(|scene| detached(scene, OPEN_TREE_ATTR, MOUNT_ATTRIBUTES.len() * 8)),
        ..CLONE
    },
    Escape {
        id: "fs-read/clone-fd.overlay",
        summary: "Read a secret beneath a detached overlay mount of its directory made by fsmount",
        references: &["https://man7.org/linux/man-pages/man2/fsmount.2.html"],
        witnesses: &[
            "hygiene/capabilities",
            "landlock/read-file",
            "seccomp/fsconfig",
            "seccomp/fsmount",
            "seccomp/fsopen",
        ],
        absent: &[libc::ENOSYS, libc::ENODEV],
        native: Some(overlaid),
        ..CLONE
    },
];

/// `struct mount_attr` that asks for a read-only copy: attributes to set and clear, propagation, user
/// namespace.
const MOUNT_ATTRIBUTES: [u64; 4] = [1, 0, 0, 0];

fn detached(scene: &Scene, number: i64, attributes: usize) -> io::Result<Vec<u8>> {
    let secret = scene.path("secret")?;
    let directory = CString::new(parent(&secret).as_os_str().as_bytes())?;
    let flags = libc::OPEN_TREE_CLONE as usize | libc::OPEN_TREE_CLOEXEC as usize;
    let tree = raw::descriptor(
        number,
        [
            CWD.as_raw_fd() as usize,
            directory.as_ptr() as usize,
            flags,
            MOUNT_ATTRIBUTES.as_ptr() as usize,
            attributes,
            0,
        ],
    )?;
    beneath(&tree, &secret)
}

fn overlaid(scene: &Scene) -> io::Result<Vec<u8>> {
    let secret = scene.path("secret")?;
    // An overlay without an upper directory needs two lower ones.
    let mut lower = parent(&secret).as_os_str().as_bytes().to_vec();
    lower.push(b':');
    lower.extend_from_slice(scene.run().as_os_str().as_bytes());
    let lower = CString::new(lower)?;
    let context = raw::descriptor(libc::SYS_fsopen, [c"overlay".as_ptr() as usize, 1, 0, 0, 0, 0])?;
    let set = libc::FSCONFIG_SET_STRING as usize;
    let (number, key) = (context.as_raw_fd() as usize, c"lowerdir".as_ptr() as usize);
    raw::call(libc::SYS_fsconfig, [number, set, key, lower.as_ptr() as usize, 0, 0])?;
    let create = libc::FSCONFIG_CMD_CREATE as usize;
    raw::call(libc::SYS_fsconfig, [number, create, 0, 0, 0, 0])?;
    let mount = raw::descriptor(libc::SYS_fsmount, [number, 1, 0, 0, 0, 0])?;
    beneath(&mount, &secret)
}

fn beneath(tree: &OwnedFd, secret: &Path) -> io::Result<Vec<u8>> {
    let name = Path::new(secret.file_name().unwrap_or_default());
    contents(openat(tree, name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}
