//! Whether a path exists is one bit. Every call that tells "not there" from "not allowed" gives it
//! away, whatever else it refuses.

use super::decoy::{Spelled, exists, spell_bits};
use harness::escape::{Bar, Escape, Layer};
use rustix::fs::{Access, AtFlags, CWD, access, accessat};
use std::fs::File;
use std::io;

const ACCESS: Escape = Escape {
    techniques: &["FM-STAT"],
    references: &[
        "https://github.com/landlock-lsm/linux/issues/11",
        "CWE-203",
        "https://man7.org/linux/man-pages/man2/access.2.html",
    ],
    bar: Bar::Residue,
    decoys: &[&Spelled::Existence],
    stops: &[Layer::MountNamespace, Layer::Seatbelt],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/access",
        summary: "Learn by access which paths outside exist",
        witnesses: &[],
        native: Some(|scene| {
            spell_bits(scene, |path| exists(access(path, Access::EXISTS).map_err(io::Error::from)))
        }),
        python: Some(include_str!("access.py")),
        ..ACCESS
    },
    Escape {
        id: "metadata/access.effective",
        summary: "Learn by faccessat2 which paths outside exist",
        witnesses: &[],
        native: Some(|scene| {
            spell_bits(scene, |path| {
                let answer = accessat(CWD, path, Access::EXISTS, AtFlags::EACCESS);
                exists(answer.map_err(io::Error::from))
            })
        }),
        ..ACCESS
    },
    Escape {
        id: "metadata/access.errno",
        summary: "Learn from the errno of a refused open which paths outside exist",
        witnesses: &[],
        native: Some(|scene| {
            spell_bits(scene, |path| match File::open(path) {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(true),
                answer => exists(answer),
            })
        }),
        python: Some(include_str!("access.errno.py")),
        ..ACCESS
    },
];
