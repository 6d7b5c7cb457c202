//! Discovery against real files: what the compiler of this host makes, what is installed on it, and
//! what starts when nothing but the discovered needs is granted.
//!
//! A C compiler is required, as it is for building Rust; so are Landlock and one Python interpreter.

#![expect(clippy::wildcard_enum_match_arm, reason = "a test names the one variant it expects")]

mod asking;
mod confinement;
mod elves;
mod libraries;
mod programs;
mod pythons;
mod scripts;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;

/// A directory of one test, by its real path.
struct Folder {
    path: PathBuf,
    _removed_at_the_end: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { path: fs::canonicalize(directory.path()).unwrap(), _removed_at_the_end: directory }
    }

    /// Writes a file, with the folders above it.
    fn file(&self, name: &str, content: impl AsRef<[u8]>, mode: u32) -> PathBuf {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if mode & 0o111 == 0 {
            fs::write(&path, content).unwrap();
        } else {
            // Written by another process: a file that this one has open for writing while another
            // test starts a program would be open in that program too, and busy for execve(2).
            let source = tempfile::NamedTempFile::new().unwrap();
            fs::write(&source, content).unwrap();
            assert!(command("cp").arg(source.path()).arg(&path).status().unwrap().success());
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    fn script(&self, name: &str, text: &str) -> PathBuf {
        self.file(name, text, 0o755)
    }

    fn copy(&self, name: &str, of: &Path) -> PathBuf {
        self.file(name, fs::read(of).unwrap(), 0o755)
    }

    fn link(&self, name: &str, target: impl AsRef<Path>) -> PathBuf {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, &path).unwrap();
        path
    }

    /// Compiles C in this folder, and panics with the compiler's words when that fails.
    fn compile(&self, name: &str, source: &str, options: &[&str]) -> PathBuf {
        self.compile_with("cc", name, source, options)
    }

    fn compile_with(&self, compiler: &str, name: &str, source: &str, options: &[&str]) -> PathBuf {
        let source = self.file(&format!("{name}.c"), source, 0o644);
        let path = self.path.join(name);
        let output = command(compiler)
            .current_dir(&self.path)
            .args([source.as_os_str(), OsStr::new("-o"), path.as_os_str()])
            .args(options)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        path
    }
}

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"HELLO\"); return 0; }\n";

#[expect(clippy::disallowed_methods, reason = "helpers and controls of the tests")]
fn command(program: impl AsRef<OsStr>) -> Command {
    Command::new(program)
}

/// The `PATH` of the tests: the system's own programs.
fn path_variable() -> OsString {
    OsString::from("/usr/local/bin:/usr/bin:/bin")
}

fn discover(path: impl AsRef<Path>) -> Result<Needs, DiscoverError> {
    program(path.as_ref(), &path_variable())
}

fn is_covered(path: &Path, needs: &Needs) -> bool {
    needs.read.iter().chain(&needs.execute).any(|granted| path.starts_with(granted))
}

/// What every answer promises about its paths.
fn assert_well_formed(needs: &Needs) {
    assert!(needs.execute.contains(&needs.image), "{needs:?}");
    for path in needs.execute.iter().chain(&needs.read) {
        assert_eq!(fs::canonicalize(path).unwrap(), *path);
    }
    for path in &needs.read {
        let above = needs.read.iter().find(|other| *other != path && path.starts_with(other));
        assert_eq!(above, None, "{path:?} is granted twice");
    }
}
