//! Own files that leave the run directory under a name outside.

use super::effect::done;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::path::PathBuf;
use std::{fs, io};

const MOVE: Escape = Escape {
    techniques: &["FW-MOVEOUT"],
    references: &["https://man.archlinux.org/man/landlock.7.en.raw"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/move-out",
        summary: "Rename an own file to a new name outside",
        witnesses: &["layer/landlock", "hook/os.rename"],
        native: Some(|scene| done(fs::rename(own(scene)?, place(scene)?))),
        python: Some(include_str!("move_out.py")),
        ..MOVE
    },
    Escape {
        id: "fs-write/move-out.link",
        summary: "Give an own file a second name outside",
        witnesses: &["layer/landlock", "hook/os.link"],
        native: Some(|scene| done(fs::hard_link(own(scene)?, place(scene)?))),
        python: Some(include_str!("move_out.link.py")),
        ..MOVE
    },
    Escape {
        id: "fs-write/move-out.directory",
        summary: "Rename an own directory with a file in it to a new name outside",
        witnesses: &["layer/landlock", "hook/os.rename"],
        native: Some(|scene| {
            let directory = scene.run().join("own-directory");
            fs::create_dir(&directory)?;
            fs::rename(own(scene)?, directory.join("own"))?;
            done(fs::rename(directory, place(scene)?))
        }),
        python: Some(include_str!("move_out.directory.py")),
        ..MOVE
    },
];

fn own(scene: &Scene) -> io::Result<PathBuf> {
    let own = scene.run().join("own");
    fs::write(&own, b"moved")?;
    Ok(own)
}

fn place(scene: &Scene) -> io::Result<PathBuf> {
    Ok(scene.path("outside")?.join("new"))
}
