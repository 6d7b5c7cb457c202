//! What cannot be read in its place is moved to where it can be.

use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::{fs, io};

const RENAME: Escape = Escape {
    techniques: &["FR-RENAMEIN"],
    references: &[
        "https://github.com/anthropic-experimental/sandbox-runtime/issues/8",
        "https://man7.org/linux/man-pages/man2/rename.2.html",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/rename-in",
        summary: "Rename a secret into the run directory, read it there and put it back",
        witnesses: &["layer/landlock", "hook/os.rename"],
        native: Some(|scene| moved(scene, RenameFlags::empty())),
        python: Some(include_str!("rename_in.py")),
        ..RENAME
    },
    Escape {
        id: "fs-read/rename-in.no-replace",
        summary: "Move a secret into the run directory by renameat2 without replacement and read it",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["layer/landlock"],
        native: Some(|scene| moved(scene, RenameFlags::NOREPLACE)),
        ..RENAME
    },
    Escape {
        id: "fs-read/rename-in.exchange",
        summary: "Exchange an own file with a secret by renameat2 and read it under the own name",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["layer/landlock"],
        native: Some(exchanged),
        ..RENAME
    },
    Escape {
        id: "fs-read/rename-in.directory",
        summary: "Rename a directory outside into the run directory and list its names there",
        witnesses: &["layer/landlock", "hook/os.rename"],
        native: Some(directory),
        python: Some(include_str!("rename_in.directory.py")),
        ..RENAME
    },
];

fn moved(scene: &Scene, flags: RenameFlags) -> io::Result<Vec<u8>> {
    let (secret, bait) = (scene.path("secret")?, scene.run().join("bait"));
    renameat_with(CWD, &secret, CWD, &bait, flags)?;
    let loot = fs::read(&bait);
    renameat_with(CWD, &bait, CWD, &secret, flags)?;
    loot
}

fn exchanged(scene: &Scene) -> io::Result<Vec<u8>> {
    let (secret, bait) = (scene.path("secret")?, scene.run().join("bait"));
    fs::write(&bait, b"bait")?;
    let swap = || renameat_with(CWD, &secret, CWD, &bait, RenameFlags::EXCHANGE);
    let loot = swap().map_err(io::Error::from).and_then(|()| {
        let loot = fs::read(&bait);
        swap()?;
        loot
    });
    fs::remove_file(&bait)?;
    loot
}

fn directory(scene: &Scene) -> io::Result<Vec<u8>> {
    let (listing, bait) = (scene.path("listing")?, scene.run().join("bait"));
    fs::rename(&listing, &bait)?;
    let names: io::Result<Vec<OsString>> =
        fs::read_dir(&bait)?.map(|entry| entry.map(|entry| entry.file_name())).collect();
    fs::rename(&bait, &listing)?;
    Ok(names?.into_iter().flat_map(OsString::into_vec).collect())
}
