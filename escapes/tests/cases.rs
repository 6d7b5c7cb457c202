//! What users of sandboxes have reported in public, tried end to end on the `escapology` command: odd
//! hosts, odd arguments, odd endings, and kernels that lack, refuse or fake what confines.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

#[path = "cases/arguments.rs"]
mod arguments;
#[path = "cases/boxes.rs"]
mod boxes;
#[path = "cases/endings.rs"]
mod endings;
#[path = "cases/hosts.rs"]
mod hosts;
#[path = "cases/masks.rs"]
mod masks;
#[path = "cases/storms.rs"]
mod storms;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Command;

/// The command under test.
const ESCAPOLOGY: &str = env!("CARGO_BIN_EXE_escapology");

/// How a command ended: its code (128+n for signal n), its output, its standard error as text.
struct Ended {
    code: i32,
    output: Vec<u8>,
    error: String,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the command under test is started as its users start it"
)]
fn command(program: impl AsRef<OsStr>) -> Command {
    Command::new(program)
}

fn ended(command: &mut Command) -> Ended {
    let done = command.output().unwrap();
    let signal = || 128 + done.status.signal().unwrap();
    Ended {
        code: done.status.code().unwrap_or_else(signal),
        error: String::from_utf8_lossy(&done.stderr).into_owned(),
        output: done.stdout,
    }
}

/// `escapology` with these arguments.
fn escapology<S: AsRef<OsStr>>(arguments: &[S]) -> Ended {
    ended(command(ESCAPOLOGY).args(arguments))
}

/// A script of a shell that ends in `exec "$@"`, and the command that it becomes.
fn under(script: &str, arguments: &[&str]) -> Ended {
    ended(command("/bin/bash").args(["-c", script, "host"]).args(arguments))
}

/// A folder that everybody may enter, with a file `secret` in it.
struct Folder {
    folder: tempfile::TempDir,
    secret: String,
}

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let secret = folder.path().file_name().unwrap().to_str().unwrap().to_owned();
        let secret = format!("content-of-{secret}");
        fs::write(folder.path().join("secret"), &secret).unwrap();
        Self { folder, secret }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Makes a directory in it.
    fn directory(&self, name: &str) -> String {
        fs::create_dir(self.path(name)).unwrap();
        self.text(name)
    }
}
