//! Swap a profile that lies in a file: whoever confines the next program by it confines it by another. The
//! launch of this project hands its profile over as an argument, so the careless launcher is the decoy.

use crate::fs_write::effect::done;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use harness::escape::{Escape, Layer};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{fs, io};

const PROFILE: Escape = Escape {
    techniques: &["MC-PROFILEFILE"],
    references: &["https://github.com/fwdai/fletch/pull/513", "CWE-367"],
    decoys: &[&Careless],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/profile-file",
        summary: "Write another profile into the file by which the next program is confined",
        native: Some(|scene| done(fs::write(scene.path("profile")?, OTHER))),
        ..PROFILE
    },
    Escape {
        id: "macos/profile-file.replace",
        summary: "Put another file in the place of that by which the next program is confined",
        native: Some(|scene| {
            let other = scene.run().join("other.sb");
            fs::write(&other, OTHER)?;
            done(fs::rename(other, scene.path("profile")?))
        }),
        ..PROFILE
    },
];

/// A profile that allows everything.
const OTHER: &str = "(version 1)\n(allow default)\n";

/// The launcher's own, under which nothing begins.
const OWN: &str = "(version 1)\n(deny default)\n";

/// Clue `profile`: a file outside, by which the watcher confines a program when the trial is over.
#[derive(Debug)]
struct Careless;

impl Decoy for Careless {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let path = site.outside.join("next.sb");
        fs::write(&path, OWN)?;
        let launcher = Launcher { path };
        if launcher.starts()? {
            return Err(io::Error::other("a program begins under a profile that denies it"));
        }
        Ok(Box::new(launcher))
    }
}

#[derive(Debug)]
struct Launcher {
    path: PathBuf,
}

impl Launcher {
    /// Whether a program begins under the profile that the file holds.
    #[expect(
        clippy::disallowed_methods,
        reason = "it is a program of the careless launcher, not the one under trial"
    )]
    fn starts(&self) -> io::Result<bool> {
        let mut next = Command::new("/usr/bin/sandbox-exec");
        next.arg("-f").arg(&self.path).arg("/usr/bin/true");
        next.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        next.status().map(|status| status.success())
    }
}

impl Placed for Launcher {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("profile", self.path.clone().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let detail = "the next program began under a profile that nobody outside wrote".to_owned();
        let evidence = Evidence { kind: EvidenceKind::ObjectChanged, detail };
        Ok(Vec::from_iter(self.starts()?.then_some(evidence)))
    }

    fn sweep(&mut self) -> Vec<String> {
        fs::remove_file(&self.path)
            .err()
            .map(|error| format!("a profile: {error}"))
            .into_iter()
            .collect()
    }
}
