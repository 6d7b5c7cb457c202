//! Leaving something new outside: a name of every kind that a directory can hold.

use super::effect::done;
#[cfg(target_os = "linux")]
use crate::raw;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use rustix::fs::{CWD, Mode, mknodat};
use rustix::fs::{Dev, FileType, makedev};
#[cfg(target_os = "linux")]
use std::ffi::CString;
use std::fs::{self, File};
use std::io;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

const CREATE: Escape = Escape {
    techniques: &["FW-CREATE"],
    references: &["https://man.archlinux.org/man/landlock.7.en.raw", "CWE-552"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

/// The kinds that are made by mknod(2), which Python announces to no hook.
const NODE: Escape = Escape {
    references: &["https://man7.org/linux/man-pages/man2/mknod.2.html"],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt],
    ..CREATE
};

/// Nodes of devices, which not everybody may make.
const DEVICE: Escape = Escape {
    needs: &[Need::Capability(27, "CAP_MKNOD")],
    stops: &[
        Layer::Landlock,
        Layer::Seccomp,
        Layer::Hygiene,
        Layer::MountNamespace,
        Layer::Seatbelt,
    ],
    ..NODE
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/create",
        summary: "Create a file outside",
        witnesses: &["landlock/make-reg", "landlock/place-run", "hook/open", "hook/write"],
        native: Some(|scene| done(File::create_new(place(scene)?))),
        python: Some(include_str!("create.py")),
        ..CREATE
    },
    Escape {
        id: "fs-write/create.directory",
        summary: "Create a directory outside",
        witnesses: &["landlock/make-dir", "hook/os.mkdir"],
        native: Some(|scene| done(fs::create_dir(place(scene)?))),
        python: Some(include_str!("create.directory.py")),
        ..CREATE
    },
    Escape {
        id: "fs-write/create.symlink",
        summary: "Create a symbolic link outside",
        witnesses: &["landlock/make-sym", "hook/os.symlink"],
        native: Some(|scene| done(symlink("/dev/null", place(scene)?))),
        python: Some(include_str!("create.symlink.py")),
        ..CREATE
    },
    Escape {
        id: "fs-write/create.fifo",
        summary: "Create a named pipe outside",
        witnesses: &["landlock/make-fifo", "seccomp/mknodat"],
        native: Some(|scene| node(scene, FileType::Fifo, 0)),
        python: Some(include_str!("create.fifo.py")),
        ..NODE
    },
    Escape {
        id: "fs-write/create.socket",
        summary: "Bind a socket to a new name outside",
        witnesses: &["landlock/make-sock", "seccomp/bind", "seccomp/socket", "hook/socket.*"],
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::MountNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        native: Some(|scene| done(UnixListener::bind(place(scene)?))),
        python: Some(include_str!("create.socket.py")),
        ..CREATE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/create.socket-node",
        summary: "Create a socket's name outside without any socket",
        witnesses: &["landlock/make-sock", "seccomp/mknodat"],
        native: Some(|scene| node(scene, FileType::Socket, 0)),
        ..NODE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/create.regular-node",
        summary: "Create an empty file outside by mknod",
        witnesses: &["landlock/make-reg", "seccomp/mknodat"],
        native: Some(|scene| node(scene, FileType::RegularFile, 0)),
        python: Some(include_str!("create.regular_node.py")),
        ..NODE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/create.oldest-node",
        summary: "Create a named pipe outside by the oldest call for it",
        needs: &[Need::Architecture("x86_64")],
        witnesses: &["landlock/make-fifo", "seccomp/mknod"],
        native: Some(|scene| {
            /// `mknod` of x86_64, which newer architectures do not have.
            const MKNOD: i64 = 133;
            let path = CString::new(place(scene)?.into_os_string().into_vec())?;
            let mode = (libc::S_IFIFO | 0o600) as usize;
            done(raw::call(MKNOD, [path.as_ptr() as usize, mode, 0, 0, 0, 0]))
        }),
        ..NODE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/create.whiteout",
        summary: "Create the character node 0:0 outside, which needs no capability",
        witnesses: &["landlock/make-char", "seccomp/mknodat"],
        native: Some(|scene| node(scene, FileType::CharacterDevice, 0)),
        ..NODE
    },
    Escape {
        id: "fs-write/create.character-node",
        summary: "Create a node of the null device outside",
        witnesses: &["hygiene/capabilities", "landlock/make-char", "seccomp/mknodat"],
        native: Some(|scene| node(scene, FileType::CharacterDevice, null_device())),
        ..DEVICE
    },
    Escape {
        id: "fs-write/create.block-node",
        summary: "Create a block device's node outside",
        witnesses: &["hygiene/capabilities", "landlock/make-block", "seccomp/mknodat"],
        // No driver has the major number 0: nobody can open the node.
        native: Some(|scene| node(scene, FileType::BlockDevice, 0)),
        ..DEVICE
    },
];

#[cfg(target_os = "linux")]
fn null_device() -> Dev {
    makedev(1, 3)
}

#[cfg(target_os = "macos")]
fn null_device() -> Dev {
    makedev(3, 2)
}

fn place(scene: &Scene) -> io::Result<PathBuf> {
    Ok(scene.path("outside")?.join("new"))
}

#[cfg(target_os = "linux")]
fn node(scene: &Scene, kind: FileType, device: Dev) -> io::Result<Vec<u8>> {
    done(mknodat(CWD, place(scene)?, kind, Mode::from_raw_mode(0o600), device))
}

/// Everybody may make a pipe, but not by mknod(2).
#[cfg(target_os = "macos")]
fn node(scene: &Scene, kind: FileType, device: Dev) -> io::Result<Vec<u8>> {
    use nix::sys::stat::{Mode, SFlag, mknod};
    let mode = Mode::S_IRUSR | Mode::S_IWUSR;
    if kind == FileType::Fifo {
        return done(nix::unistd::mkfifo(&place(scene)?, mode));
    }
    let block = kind == FileType::BlockDevice;
    let kind = if block { SFlag::S_IFBLK } else { SFlag::S_IFCHR };
    done(mknod(&place(scene)?, kind, mode, device))
}
