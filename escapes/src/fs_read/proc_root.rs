//! The magic links of /proc lead to a process's own idea of the root and of its directory, whatever
//! text stands before them. Those of another process lead into its mount namespace.

use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::ffi::OsString;
use std::{fs, io};

const PROC_ROOT: Escape = Escape {
    techniques: &["FR-PROCROOT"],
    references: &[
        "https://www.plushcap.com/content/ona/blog/ona-how-claude-code-escapes-its-own-denylist-and-sandbox",
        "https://man7.org/linux/man-pages/man5/proc_pid_root.5.html",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
    ..Escape::BLANK
};

const VICTIM_ROOT: Escape = Escape {
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::OtherNamespace, Layer::Hook],
    ..PROC_ROOT
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/proc-root",
        summary: "Read a secret through /proc/self/root",
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| behind("/proc/self/root", scene)),
        python: Some(include_str!("proc_root.py")),
        ..PROC_ROOT
    },
    Escape {
        id: "fs-read/proc-root.thread",
        summary: "Read a secret through /proc/thread-self/root",
        stops: &[Layer::Landlock, Layer::MountNamespace],
        witnesses: &["landlock/read-file"],
        native: Some(|scene| behind("/proc/thread-self/root", scene)),
        ..PROC_ROOT
    },
    Escape {
        id: "fs-read/proc-root.directory",
        summary: "Read a secret by a path that climbs from /proc/self/cwd",
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| behind(&format!("/proc/self/cwd{}", "/..".repeat(64)), scene)),
        python: Some(include_str!("proc_root.directory.py")),
        ..PROC_ROOT
    },
    Escape {
        id: "fs-read/proc-root.victim",
        summary: "Read a secret through the root of a process outside",
        witnesses: &["hygiene/capabilities", "layer/landlock"],
        native: Some(|scene| behind(&format!("/proc/{}/root", scene.text("victim")?), scene)),
        python: Some(include_str!("proc_root.victim.py")),
        ..VICTIM_ROOT
    },
    Escape {
        id: "fs-read/proc-root.victim-directory",
        summary: "Read a secret by a path that climbs from the directory of a process outside",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::OtherNamespace],
        witnesses: &["hygiene/capabilities", "layer/landlock"],
        native: Some(|scene| {
            let victim = scene.text("victim")?;
            behind(&format!("/proc/{victim}/cwd{}", "/..".repeat(64)), scene)
        }),
        ..VICTIM_ROOT
    },
];

fn behind(prefix: &str, scene: &Scene) -> io::Result<Vec<u8>> {
    let mut path = OsString::from(prefix);
    path.push(scene.clue("secret")?);
    fs::read(path)
}
