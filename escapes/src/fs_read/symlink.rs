//! A symbolic link of the program's own in its run directory, which every sandbox must let it make:
//! the link is inside, what it names is not.

use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::{fs, io};

const SYMLINK: Escape = Escape {
    techniques: &["FR-SYMLINK"],
    references: &[
        "CWE-59",
        "https://www.aib.vote/en/news/claude-code-sandbox-escape-vulnerability-analysis",
        "https://github.com/multikernel/sandlock/issues/112",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/symlink",
        summary: "Read a secret through an own symbolic link that names it",
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| through(scene, scene.clue("secret")?, OsStr::new(""))),
        python: Some(include_str!("symlink.py")),
        ..SYMLINK
    },
    Escape {
        id: "fs-read/symlink.directory",
        summary: "Read a secret through an own symbolic link that names its directory",
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| {
            let secret = scene.path("secret")?;
            let directory = secret.parent().unwrap_or(Path::new("/"));
            through(scene, directory.as_os_str(), secret.file_name().unwrap_or_default())
        }),
        python: Some(include_str!("symlink.directory.py")),
        ..SYMLINK
    },
    Escape {
        id: "fs-read/symlink.climbing",
        summary: "Read a secret through an own symbolic link that climbs out by a relative path",
        witnesses: &["landlock/read-file", "hook/open"],
        native: Some(|scene| {
            let mut target = OsString::from("..");
            target.push("/..".repeat(64));
            target.push(scene.clue("secret")?);
            through(scene, &target, OsStr::new(""))
        }),
        python: Some(include_str!("symlink.climbing.py")),
        ..SYMLINK
    },
];

/// Makes a link to `target`, reads what stands at `rest` behind it, and removes the link.
fn through(scene: &Scene, target: &OsStr, rest: &OsStr) -> io::Result<Vec<u8>> {
    let link = scene.run().join("link");
    symlink(target, &link)?;
    let loot = if rest.is_empty() { fs::read(&link) } else { fs::read(link.join(rest)) };
    fs::remove_file(&link)?;
    loot
}
