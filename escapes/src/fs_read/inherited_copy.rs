//! The kernel itself moves bytes from an inherited descriptor into an own file: the program never
//! reads them.

use crate::raw;
use fixtures::watch::inherited::INHERITED_SECRET;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{copy_file_range, sendfile};
use rustix::pipe::{SpliceFlags, splice};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

const COPY: Escape = Escape {
    techniques: &["FR-INHERITCOPY"],
    references: &["CWE-403", "https://man7.org/linux/man-pages/man2/sendfile.2.html"],
    decoys: &[INHERITED_SECRET],
    stops: &[Layer::Hygiene],
    ..Escape::BLANK
};

const LENGTH: usize = 4096;

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-read/inherited-copy",
        summary: "Copy a secret from an inherited descriptor into an own file by sendfile",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            let (secret, own) = ends(scene)?;
            sendfile(own, secret, Some(&mut 0), LENGTH)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("inherited_copy.py")),
        ..COPY
    },
    Escape {
        id: "fs-read/inherited-copy.range",
        summary: "Copy a secret from an inherited descriptor into an own file by copy_file_range",
        references: &["https://man7.org/linux/man-pages/man2/copy_file_range.2.html"],
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            let (secret, own) = ends(scene)?;
            copy_file_range(secret, Some(&mut 0), own, None, LENGTH)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("inherited_copy.range.py")),
        ..COPY
    },
    Escape {
        id: "fs-read/inherited-copy.splice",
        summary: "Splice a secret from an inherited descriptor through a pipe into an own file",
        references: &["https://man7.org/linux/man-pages/man2/splice.2.html"],
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| {
            let (secret, own) = ends(scene)?;
            let (reader, writer) = io::pipe()?;
            let nothing = SpliceFlags::empty();
            let length = splice(secret, Some(&mut 0), writer, None, LENGTH, nothing)?;
            splice(reader, None, own, None, length, nothing)?;
            Ok(Vec::new())
        }),
        ..COPY
    },
];

/// The secret and the own file, in which the bytes are found from outside.
fn ends(scene: &Scene) -> io::Result<(OwnedFd, File)> {
    let secret = raw::inherited(scene.number("inherited-secret")?)?;
    Ok((secret, File::create(scene.run().join("copy"))?))
}
