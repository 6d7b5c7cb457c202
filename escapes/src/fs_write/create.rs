//! Leaving something new outside: a name of every kind that a directory can hold.

use super::effect::done;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use rustix::fs::{CWD, Dev, FileType, Mode, makedev, mknodat};
use std::fs::{self, File};
use std::io;
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
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
    ..CREATE
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/create",
        summary: "Create a file outside",
        witnesses: &["landlock/make-reg"],
        native: Some(|scene| done(File::create_new(place(scene)?))),
        python: Some(include_str!("create.py")),
        ..CREATE
    },
    Escape {
        id: "fs-write/create.directory",
        summary: "Create a directory outside",
        witnesses: &["landlock/make-dir"],
        native: Some(|scene| done(fs::create_dir(place(scene)?))),
        python: Some(include_str!("create.directory.py")),
        ..CREATE
    },
    Escape {
        id: "fs-write/create.symlink",
        summary: "Create a symbolic link outside",
        witnesses: &["landlock/make-sym"],
        native: Some(|scene| done(symlink("/dev/null", place(scene)?))),
        python: Some(include_str!("create.symlink.py")),
        ..CREATE
    },
    Escape {
        id: "fs-write/create.fifo",
        summary: "Create a named pipe outside",
        witnesses: &["landlock/make-fifo"],
        native: Some(|scene| node(scene, FileType::Fifo, 0)),
        python: Some(include_str!("create.fifo.py")),
        ..NODE
    },
    Escape {
        id: "fs-write/create.socket",
        summary: "Bind a socket to a new name outside",
        witnesses: &["landlock/make-sock"],
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
    Escape {
        id: "fs-write/create.socket-node",
        summary: "Create a socket's name outside without any socket",
        witnesses: &["landlock/make-sock"],
        native: Some(|scene| node(scene, FileType::Socket, 0)),
        ..NODE
    },
    Escape {
        id: "fs-write/create.regular-node",
        summary: "Create an empty file outside by mknod",
        native: Some(|scene| node(scene, FileType::RegularFile, 0)),
        python: Some(include_str!("create.regular_node.py")),
        ..NODE
    },
    Escape {
        id: "fs-write/create.whiteout",
        summary: "Create the character node 0:0 outside, which needs no capability",
        witnesses: &["landlock/make-char"],
        native: Some(|scene| node(scene, FileType::CharacterDevice, 0)),
        ..NODE
    },
    Escape {
        id: "fs-write/create.character-node",
        summary: "Create a node of the null device outside",
        witnesses: &["landlock/make-char"],
        needs: &[Need::Capability(27, "CAP_MKNOD")],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
        native: Some(|scene| node(scene, FileType::CharacterDevice, makedev(1, 3))),
        ..NODE
    },
    Escape {
        id: "fs-write/create.block-node",
        summary: "Create a block device's node outside",
        witnesses: &["landlock/make-block"],
        needs: &[Need::Capability(27, "CAP_MKNOD")],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
        // No driver has the major number 0: nobody can open the node.
        native: Some(|scene| node(scene, FileType::BlockDevice, 0)),
        ..NODE
    },
];

fn place(scene: &Scene) -> io::Result<PathBuf> {
    Ok(scene.path("outside")?.join("new"))
}

fn node(scene: &Scene, kind: FileType, device: Dev) -> io::Result<Vec<u8>> {
    done(mknodat(CWD, place(scene)?, kind, Mode::from_raw_mode(0o600), device))
}
