//! The names in a directory.

#[cfg(target_os = "linux")]
use crate::own_names;
use harness::escape::{Escape, Layer};
#[cfg(target_os = "linux")]
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use rustix::fs::{Dir, Mode, OFlags, open, openat};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::{fs, io};

const LIST: Escape = Escape {
    techniques: &["FM-LISTDIR"],
    references: &[
        "https://man.archlinux.org/man/landlock.7.en.raw",
        "CWE-548",
        "https://attack.mitre.org/techniques/T1083/",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/list-dir",
        summary: "List a directory outside",
        witnesses: &["landlock/read-dir", "hook/os.listdir"],
        native: Some(|scene| list(&scene.path("listing")?)),
        python: Some(include_str!("list_dir.py")),
        ..LIST
    },
    Escape {
        id: "metadata/list-dir.scan",
        summary: "List a directory outside entry by entry",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["landlock/read-dir", "hook/os.scandir"],
        python: Some(include_str!("list_dir.scan.py")),
        ..LIST
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "metadata/list-dir.root",
        summary: "List a directory outside by the root of the own process",
        stops: &[Layer::Landlock, Layer::MountNamespace],
        witnesses: &["landlock/read-dir"],
        native: Some(|scene| list(&own_names::by_root(&scene.path("listing")?))),
        ..LIST
    },
    Escape {
        id: "metadata/list-dir.link",
        summary: "List a directory outside through an own link to it",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["landlock/read-dir"],
        native: Some(|scene| {
            let link = scene.run().join("door");
            symlink(scene.path("listing")?, &link)?;
            list(&link)
        }),
        ..LIST
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "metadata/list-dir.path-only",
        summary: "List a directory outside by opening . beneath a path-only descriptor of it",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
        witnesses: &["landlock/read-dir", "hook/open"],
        native: Some(beneath),
        python: Some(include_str!("list_dir.path_only.py")),
        ..LIST
    },
];

fn list(path: &Path) -> io::Result<Vec<u8>> {
    let names: io::Result<Vec<OsString>> =
        fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.file_name())).collect();
    Ok(names?.into_iter().flat_map(OsString::into_vec).collect())
}

#[cfg(target_os = "linux")]
fn beneath(scene: &Scene) -> io::Result<Vec<u8>> {
    let place = open(scene.path("listing")?, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let directory = openat(place, ".", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut names = Vec::new();
    for entry in Dir::new(directory)? {
        names.extend_from_slice(entry?.file_name().to_bytes());
    }
    Ok(names)
}
