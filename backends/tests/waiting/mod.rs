//! A confinement that keeps a child ready, and the child that waits for it.

use backends::backend::{Backend, Confinement};
use backends::command::Command;
use backends::linux::discover;
use backends::native::native;
use backends::policy::Policy;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A shell under a policy, with a child of its confinement that waits.
pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
    image: PathBuf,
    pub(crate) confinement: Box<dyn Confinement>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let needs = discover::program(Path::new("bash"), OsStr::new("/usr/bin:/bin")).unwrap();
        let builder = Policy::builder().write(Path::new("/dev/null")).unwrap();
        let policy = builder.needs(&needs).unwrap().build().unwrap();
        let confinement = native().prepare(&policy).unwrap();
        confinement.keep_ready();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("run")).unwrap();
        Self { folder, image: needs.image, confinement }
    }

    /// A script, to be run in the run directory.
    pub(crate) fn command(&self, script: &str) -> Command {
        let run = self.folder.path().canonicalize().unwrap().join("run");
        let mut command = Command::new(&self.image, run);
        command.arguments = vec!["-c".into(), script.into()];
        command
    }
}

/// The children of this process that have no program.
pub(crate) fn without_program() -> Vec<u32> {
    let own = std::process::id();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // pid (comm) state ppid: a child has the name of the thread that started it.
        stat.contains(&format!("(aside) S {own} "))
    })
    .collect()
}

/// The one child that waits, once it does: behind the filter.
pub(crate) fn waiting() -> u32 {
    loop {
        if let [pid] = without_program()[..] {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            if status.contains("Seccomp:\t2") {
                return pid;
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
