//! Entering a directory reads nothing of it, and yet tells that it is there and that it may be
//! entered; relative paths then begin outside.

use super::decoy::{Spelled, exists, spell_bits};
use harness::escape::{Bar, Escape, Layer};
use harness::scene::Scene;
use rustix::process::{chdir, fchdir};
use std::fs::File;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "metadata/chdir",
    summary: "Learn by entering them which directories outside exist",
    techniques: &["FM-CHDIR"],
    references: &[
        "https://github.com/landlock-lsm/linux/issues/9",
        "https://man.archlinux.org/man/landlock.7.en.raw",
    ],
    bar: Bar::Residue,
    decoys: &[&Spelled::Existence],
    stops: &[Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &["hook/os.chdir"],
    native: Some(wander),
    python: Some(include_str!("chdir.py")),
    ..Escape::BLANK
}];

fn wander(scene: &Scene) -> io::Result<Vec<u8>> {
    let home = File::open(scene.run())?;
    let token = spell_bits(scene, |path| exists(chdir(path).map_err(io::Error::from)));
    fchdir(home)?;
    token
}
