//! A descriptor that was inherited for reading only is opened again, by its name in /proc or /dev, to
//! write.

use super::effect::done;
use crate::raw;
use fixtures::watch::inherited::INHERITED_SECRET;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::Path;

const REOPEN: Escape = Escape {
    techniques: &["FW-REOPENFD"],
    references: &[
        "https://www.systemshardening.com/articles/linux/runc-container-runtime-security/",
        "https://nvd.nist.gov/vuln/detail/CVE-2019-5736",
    ],
    decoys: &[INHERITED_SECRET],
    stops: &[Layer::Landlock, Layer::Hygiene, Layer::MountNamespace, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    #[cfg(target_os = "linux")]
    Escape {
        id: "fs-write/reopen",
        summary: "Open a file that was inherited for reading again through /proc/self/fd and write",
        witnesses: &["hygiene/close-descriptors", "landlock/write-file"],
        native: Some(|scene| change(scene, "/proc/self/fd")),
        python: Some(include_str!("reopen.py")),
        ..REOPEN
    },
    Escape {
        id: "fs-write/reopen.dev",
        summary: "Open a file that was inherited for reading again through /dev/fd and write",
        stops: &[Layer::Landlock, Layer::Hygiene, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["hygiene/close-descriptors", "landlock/write-file"],
        native: Some(|scene| change(scene, "/dev/fd")),
        ..REOPEN
    },
];

fn change(scene: &Scene, descriptors: &str) -> io::Result<Vec<u8>> {
    let secret = raw::inherited(scene.number("inherited-secret")?)?;
    let name = Path::new(descriptors).join(secret.as_raw_fd().to_string());
    done(OpenOptions::new().write(true).open(name)?.write_all(b"changed"))
}
