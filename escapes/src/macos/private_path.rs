//! Read a secret by another spelling of its path: a rule on one spelling says nothing of the others.

use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const READ: Escape = Escape {
    references: &[
        "https://github.com/archie-judd/agent-sandbox.nix/issues/82",
        "https://github.com/nolabs-ai/nono/pull/393",
        "https://github.com/archie-judd/agent-sandbox.nix/pull/45",
    ],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/private-path",
        summary: "Read a secret by a path through /var or /tmp, which are links to /private",
        techniques: &["MC-PRIVATEPATH"],
        native: Some(|scene| fs::read(without_private(scene)?)),
        ..READ
    },
    Escape {
        id: "macos/private-path.firmlink",
        summary: "Read a secret by the alias of the data volume",
        techniques: &["MC-FIRMLINK"],
        native: Some(|scene| {
            let secret = scene.path("secret")?;
            let below = secret.strip_prefix("/").map_err(|_relative| absent())?;
            fs::read(Path::new("/System/Volumes/Data").join(below))
        }),
        ..READ
    },
];

/// The path without its first component, if that is `private`.
fn without_private(scene: &Scene) -> io::Result<PathBuf> {
    let secret = scene.path("secret")?;
    let below = secret.strip_prefix("/private").map_err(|_elsewhere| absent())?;
    Ok(Path::new("/").join(below))
}

/// The world lies where it has one spelling only.
fn absent() -> io::Error {
    io::Error::from_raw_os_error(libc::ENOSYS)
}
