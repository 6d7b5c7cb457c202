//! The numbers of a file: size, times, owner. No right of Landlock covers them, and a filter cannot
//! refuse the calls, for every loader needs them.

use super::decoy::{Spelled, spell_numbers};
#[cfg(target_os = "linux")]
use crate::own_names;
use harness::escape::{Bar, Escape, Layer};
#[cfg(target_os = "linux")]
use rustix::fs::{AtFlags, CWD, Mode, OFlags, StatxFlags, open, statat, statx};
use std::fs;
use std::os::unix::fs::MetadataExt;

const STAT: Escape = Escape {
    techniques: &["FM-STAT"],
    references: &[
        "https://github.com/landlock-lsm/linux/issues/11",
        "https://man.archlinux.org/man/landlock.7.en.raw",
        "CWE-200",
    ],
    bar: Bar::Residue,
    decoys: &[&Spelled::Numbers],
    stops: &[Layer::MountNamespace, Layer::Seatbelt],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/stat",
        summary: "Learn the sizes and times of files outside by stat",
        witnesses: &[],
        native: Some(|scene| {
            spell_numbers(scene, |path| fs::metadata(path).map(|stat| (stat.size(), stat.mtime())))
        }),
        python: Some(include_str!("stat.py")),
        ..STAT
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "metadata/stat.statx",
        summary: "Learn the sizes and times of files outside by a statx that asks for just these",
        witnesses: &[],
        native: Some(|scene| {
            spell_numbers(scene, |path| {
                let wanted = StatxFlags::SIZE | StatxFlags::MTIME;
                let stat = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, wanted)?;
                Ok((stat.stx_size, stat.stx_mtime.tv_sec))
            })
        }),
        ..STAT
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "metadata/stat.root",
        summary: "Learn the sizes and times of files outside by the root of the own process",
        witnesses: &[],
        native: Some(|scene| {
            spell_numbers(scene, |path| {
                fs::metadata(own_names::by_root(path)).map(|stat| (stat.size(), stat.mtime()))
            })
        }),
        ..STAT
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "metadata/stat.at",
        summary: "Learn the sizes and times of files outside by their names beneath a descriptor",
        witnesses: &[],
        native: Some(|scene| {
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let directory = open(scene.path("metadata")?, flags, Mode::empty())?;
            spell_numbers(scene, |path| {
                let name = path.file_name().unwrap_or_default();
                let stat = statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
                Ok((stat.st_size.cast_unsigned(), stat.st_mtime))
            })
        }),
        ..STAT
    },
];
