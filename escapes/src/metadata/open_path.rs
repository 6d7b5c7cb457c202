//! A descriptor for the path only: no right is needed to open it, and it answers for its file.

use super::decoy::{Spelled, exists, spell_bits, spell_numbers};
use harness::escape::{Bar, Escape, Layer};
use rustix::fs::{Mode, OFlags, fstat, open};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

const OPEN_PATH: Escape = Escape {
    techniques: &["FM-OPATH"],
    references: &[
        "https://github.com/oferchen/rsync/pull/7541",
        "https://github.com/landlock-lsm/linux/issues/9",
        "https://man7.org/linux/man-pages/man2/open.2.html",
    ],
    bar: Bar::Residue,
    stops: &[Layer::MountNamespace, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/open-path",
        summary: "Learn the sizes and times of files outside from path-only descriptors",
        decoys: &[&Spelled::Numbers],
        witnesses: &["hook/open"],
        native: Some(|scene| {
            spell_numbers(scene, |path| {
                let stat = fstat(place(path)?)?;
                Ok((u64::try_from(stat.st_size).unwrap_or(0), stat.st_mtime))
            })
        }),
        python: Some(include_str!("open_path.py")),
        ..OPEN_PATH
    },
    Escape {
        id: "metadata/open-path.existence",
        summary: "Learn by opening path-only descriptors which paths outside exist",
        stops: &[Layer::MountNamespace],
        decoys: &[&Spelled::Existence],
        witnesses: &[],
        native: Some(|scene| spell_bits(scene, |path| exists(place(path)))),
        ..OPEN_PATH
    },
];

fn place(path: &Path) -> io::Result<OwnedFd> {
    Ok(open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?)
}
