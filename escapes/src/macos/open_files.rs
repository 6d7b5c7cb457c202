//! Learn what another process holds: the macOS form of a look into `/proc/PID/fd`.

use crate::raw_macos::task::path_of;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/open-files",
    summary: "Learn the name of a file that a process outside has open",
    techniques: &["MC-SYSCTLPROC"],
    references: &["https://github.com/unslothai/unsloth/pull/10526", "CWE-497"],
    decoys: &[&Holder],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/process-info*"],
    twin: Twin::OwnProcess,
    native: Some(|scene| path_of(scene.number("holder")?, 0)),
    ..Escape::BLANK
}];

/// Clue `holder`: the pid of a process outside whose standard input is a file with the token as its name.
#[derive(Debug)]
struct Holder;

impl Decoy for Holder {
    #[expect(clippy::disallowed_methods, reason = "a process of the world, not under trial")]
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let folder = site.outside.join("held");
        fs::create_dir_all(&folder)?;
        let path = folder.join(site.token);
        let file = File::create_new(&path)?;
        let child = Command::new("/bin/sleep")
            .arg("600")
            .stdin(file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Box::new(Holding { child, folder }))
    }
}

#[derive(Debug)]
struct Holding {
    child: Child,
    folder: PathBuf,
}

impl Placed for Holding {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("holder", self.child.id().to_string().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        let ended = self.child.kill().and_then(|()| self.child.wait());
        let removed = fs::remove_dir_all(&self.folder);
        let failed = [ended.err(), removed.err()].into_iter().flatten();
        failed.map(|error| format!("a process that holds a file: {error}")).collect()
    }
}
