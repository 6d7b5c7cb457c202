//! Files that were made in the run directory, where that is allowed, and then appear among the
//! deliverables in one step: renamed, linked, or named at last.

use crate::fs_write::effect::done;
#[cfg(target_os = "linux")]
use crate::own_names;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
use std::path::PathBuf;
use std::{fs, io};

const PLANT: Escape = Escape {
    techniques: &["FW-EVIDENCE", "FW-MOVEOUT"],
    references: &[
        "https://github.com/openai/codex/issues/37081",
        "https://man7.org/linux/man-pages/man2/rename.2.html",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "plant/rename",
        summary: "Replace a delivered file in one step by renaming an own file over it",
        witnesses: &["layer/landlock", "hook/os.rename"],
        native: Some(|scene| {
            done(fs::rename(own(scene)?, scene.path("deliverables")?.join("report.txt")))
        }),
        python: Some(include_str!("rename.py")),
        ..PLANT
    },
    Escape {
        id: "plant/rename.directory",
        summary: "Rename a whole own directory into the deliverables",
        witnesses: &["layer/landlock", "hook/os.rename"],
        native: Some(|scene| {
            let directory = scene.run().join("own-directory");
            fs::create_dir(&directory)?;
            fs::rename(own(scene)?, directory.join("own"))?;
            done(fs::rename(directory, scene.path("deliverables")?.join("planted")))
        }),
        python: Some(include_str!("rename.directory.py")),
        ..PLANT
    },
    Escape {
        id: "plant/rename.link",
        summary: "Give an own file a second name among the deliverables, to be changed later",
        witnesses: &["layer/landlock", "hook/os.link"],
        native: Some(|scene| {
            let own = own(scene)?;
            fs::hard_link(&own, scene.path("deliverables")?.join("planted"))?;
            done(fs::write(own, b"changed after it was linked"))
        }),
        python: Some(include_str!("rename.link.py")),
        ..PLANT
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "plant/rename.nameless",
        summary: "Write a nameless file and name it among the deliverables when it is complete",
        techniques: &["FW-EVIDENCE", "FW-TMPFILE"],
        stops: &[Layer::Landlock, Layer::MountNamespace],
        witnesses: &["layer/landlock"],
        absent: &[libc::ENOSYS, libc::EOPNOTSUPP],
        native: Some(nameless),
        ..PLANT
    },
];

fn own(scene: &Scene) -> io::Result<PathBuf> {
    let own = scene.run().join("own");
    fs::write(&own, b"planted")?;
    Ok(own)
}

#[cfg(target_os = "linux")]
fn nameless(scene: &Scene) -> io::Result<Vec<u8>> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = open(scene.run(), flags, Mode::RUSR | Mode::WUSR)?;
    rustix::io::write(&file, b"planted")?;
    let name = own_names::of_descriptor(&file);
    let place = scene.path("deliverables")?.join("planted");
    done(linkat(CWD, name, CWD, place, AtFlags::SYMLINK_FOLLOW))
}
