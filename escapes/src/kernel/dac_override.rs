//! Read what the permission bits of the run directory deny: a launcher that is root and keeps its
//! capabilities has no permission bits.

use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, chown};
use std::path::PathBuf;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "kernel/dac-override",
    summary: "Read a file in the run directory that belongs to somebody else",
    techniques: &["KP-SETUIDCALL"],
    references: &["https://man7.org/linux/man-pages/man7/capabilities.7.html", "CWE-250"],
    needs: &[
        Need::Capability(0, "CAP_CHOWN"),
        Need::Capability(1, "CAP_DAC_OVERRIDE"),
        Need::SecondUser,
    ],
    decoys: &[&Foreign],
    stops: &[Layer::Hygiene, Layer::MountNamespace],
    witnesses: &["hygiene/capabilities"],
    twin: Twin::OwnFile,
    native: Some(|scene| fs::read(scene.path("foreign")?)),
    python: Some(include_str!("dac_override.py")),
    ..Escape::BLANK
}];

/// A file in the run directory that holds the token and that only another user may read. Clue:
/// `foreign`, its path. It is gone before the run directory is searched for the token.
#[derive(Debug)]
struct Foreign;

/// A user of no power.
const NOBODY: u32 = 65534;

impl Decoy for Foreign {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let path = site.run.join("foreign");
        let mut file =
            fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(site.token.as_bytes())?;
        chown(&path, Some(NOBODY), Some(NOBODY))?;
        Ok(Box::new(There(path)))
    }
}

#[derive(Debug)]
struct There(PathBuf);

impl Placed for There {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("foreign", self.0.clone().into_os_string())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        fs::remove_file(&self.0)?;
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        Vec::new()
    }
}
