//! The kernel itself moves bytes from an inherited descriptor into an own file: the program never
//! reads them.

use crate::raw;
use fixtures::watch::inherited::INHERITED_SECRET;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
#[cfg(target_os = "linux")]
use rustix::fs::{copy_file_range, sendfile};
#[cfg(target_os = "linux")]
use rustix::pipe::{SpliceFlags, splice};
#[cfg(target_os = "linux")]
use std::fs::File;
use std::io;
#[cfg(target_os = "linux")]
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
        stops: &[Layer::Hygiene, Layer::Seccomp],
        witnesses: &["hygiene/close-descriptors", "seccomp/sendfile"],
        native: Some(send),
        #[cfg(target_os = "linux")]
        python: Some(include_str!("inherited_copy.py")),
        ..COPY
    },
    #[cfg(target_os = "linux")]
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
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-read/inherited-copy.splice",
        summary: "Splice a secret from an inherited descriptor through a pipe into an own file",
        references: &["https://man7.org/linux/man-pages/man2/splice.2.html"],
        stops: &[Layer::Hygiene, Layer::Seccomp],
        witnesses: &["hygiene/close-descriptors", "seccomp/splice"],
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

#[cfg(target_os = "linux")]
fn send(scene: &Scene) -> io::Result<Vec<u8>> {
    let (secret, own) = ends(scene)?;
    sendfile(own, secret, Some(&mut 0), LENGTH)?;
    Ok(Vec::new())
}

/// The call knows sockets only as where it sends to: the bytes go into an own file from there.
#[cfg(target_os = "macos")]
fn send(scene: &Scene) -> io::Result<Vec<u8>> {
    use std::io::Read;
    use std::os::fd::AsFd;
    let secret = raw::inherited(scene.number("inherited-secret")?)?;
    let (near, mut far) = std::os::unix::net::UnixStream::pair()?;
    let mut bytes = vec![0; raw::send_file(secret.as_fd(), near.as_fd(), LENGTH)?];
    far.read_exact(&mut bytes)?;
    std::fs::write(scene.run().join("copy"), bytes)?;
    Ok(Vec::new())
}

/// The secret and the own file, in which the bytes are found from outside.
#[cfg(target_os = "linux")]
fn ends(scene: &Scene) -> io::Result<(OwnedFd, File)> {
    let secret = raw::inherited(scene.number("inherited-secret")?)?;
    Ok((secret, File::create(scene.run().join("copy"))?))
}
