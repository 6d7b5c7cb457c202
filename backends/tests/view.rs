//! The mount namespace on the real kernel: what is granted is there and works, what is not is not there,
//! and a place that is not the one that was granted is not shown.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use backends::backend::Backend;
use backends::child::Completed;
use backends::command::Command;
use backends::linux::discover;
use backends::native::{native, native_hidden};
use backends::policy::Policy;
use backends::single::mount_namespace;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

const SHELL: &str = "/bin/bash";

/// A folder with a run directory, a directory to read with one to write in it, and a secret.
struct Folder {
    _kept: tempfile::TempDir,
    path: PathBuf,
}

impl Folder {
    fn new() -> Self {
        let kept = tempfile::tempdir().unwrap();
        let path = kept.path().canonicalize().unwrap();
        for name in ["run", "read", "read/write"] {
            fs::create_dir(path.join(name)).unwrap();
        }
        fs::write(path.join("secret"), "secret").unwrap();
        fs::write(path.join("read/text"), "text").unwrap();
        Self { _kept: kept, path }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A policy that lets the shell start and grants the two directories.
    fn policy(&self) -> (Policy, PathBuf) {
        let needs = discover::program(Path::new(SHELL), OsStr::new("/usr/bin:/bin")).unwrap();
        let builder = Policy::builder().devices().unwrap().needs(&needs).unwrap();
        let builder = builder.read(&self.at("read")).unwrap();
        (builder.write(&self.at("read/write")).unwrap().build().unwrap(), needs.image)
    }

    fn shell(&self, backend: &dyn Backend, script: &str) -> Completed {
        let (policy, image) = self.policy();
        let confinement = backend.prepare(&policy).unwrap();
        confinement.launch(self.command(image, script)).unwrap().wait().unwrap()
    }

    fn command(&self, image: PathBuf, script: &str) -> Command {
        let mut command = Command::new(image, self.at("run"));
        let script = script.replace("HERE", self.path.to_str().unwrap());
        command.arguments = vec!["-c".into(), script.into()];
        command
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn what_is_not_granted_exists_under_native_and_not_in_the_view() {
    let folder = Folder::new();
    let script = "for path in HERE/secret HERE/read/text /etc/passwd /proc/self /usr/bin/env /; do
        [ -e $path ] && echo ${path##*/}; done; echo end";
    let seen = folder.shell(&native(), script);
    assert_eq!(text(&seen.output), "secret\ntext\npasswd\nself\nenv\n\nend\n", "{seen:?}");
    let hidden = folder.shell(&native_hidden(), script);
    assert_eq!(text(&hidden.output), "text\n\nend\n", "{hidden:?}");
}

#[test]
fn what_is_granted_works_in_the_view_as_it_does_without() {
    let folder = Folder::new();
    let script = "read text < HERE/read/text; echo $text
        echo written > HERE/read/write/file && echo write
        echo own > file && read own < HERE/run/file && echo $own
        echo gone > /dev/null && echo null
        { echo no > HERE/read/file; } 2>/dev/null || echo read-only
        [ $HOME = $PWD ] && [ -O HERE/run ] && echo home";
    for backend in [native(), native_hidden()] {
        let ended = folder.shell(&backend, script);
        let name = backend.name();
        let lines = text(&ended.output);
        let expected = ["text", "write", "own", "null", "read-only", "home"];
        assert_eq!(lines.lines().collect::<Vec<_>>(), expected, "{name}: {ended:?}");
        assert_eq!(fs::read(folder.at("read/write/file")).unwrap(), b"written\n", "{name}");
        assert!(!folder.at("read/file").exists(), "{name}");
        fs::remove_file(folder.at("read/write/file")).unwrap();
        fs::remove_file(folder.at("run/file")).unwrap();
    }
}

#[test]
fn the_view_alone_mounts_read_grants_for_reading_and_nothing_on_the_way_can_be_written() {
    let folder = Folder::new();
    let script = "set -C; for path in HERE/read/file HERE/file /file HERE/read/write/file; do
        : > $path && echo ${path%/file}; done 2>/dev/null; echo end";
    let ended = folder.shell(&mount_namespace(), script);
    let only = format!("{}\nend\n", folder.at("read/write").display());
    assert_eq!(text(&ended.output), only, "{ended:?}");
}

#[test]
fn a_place_that_was_replaced_since_is_not_shown_and_nothing_runs() {
    let folder = Folder::new();
    let (policy, image) = folder.policy();
    let confinement = mount_namespace().prepare(&policy).unwrap();
    let script = "read text < HERE/read/text; echo $text";
    let launched = || confinement.launch(folder.command(image.clone(), script));
    assert_eq!(text(&launched().unwrap().wait().unwrap().output), "text\n");
    fs::rename(folder.at("read"), folder.at("moved")).unwrap();
    fs::create_dir_all(folder.at("read/write")).unwrap();
    fs::write(folder.at("read/text"), "other").unwrap();
    let error = launched().unwrap_err().to_string();
    assert!(error.contains("mount(MS_BIND)"), "{error}");
    fs::remove_dir_all(folder.at("read")).unwrap();
    let error = launched().unwrap_err().to_string();
    assert!(error.contains(folder.at("read").to_str().unwrap()), "{error}");
    std::os::unix::fs::symlink(folder.at("moved"), folder.at("read")).unwrap();
    assert!(launched().is_err());
    fs::remove_file(folder.at("read")).unwrap();
    fs::rename(folder.at("moved"), folder.at("read")).unwrap();
    assert_eq!(text(&launched().unwrap().wait().unwrap().output), "text\n");
}

#[test]
fn a_view_leaves_no_mount_outside_and_nothing_in_the_run_directory() {
    let folder = Folder::new();
    let mounts = || fs::read_to_string("/proc/self/mountinfo").unwrap();
    let (policy, image) = folder.policy();
    let confinement = mount_namespace().prepare(&policy).unwrap();
    let before = mounts();
    for _ in 0..20 {
        let ended = confinement.launch(folder.command(image.clone(), "echo $PWD")).unwrap();
        let shown = format!("{}\n", folder.at("run").display());
        assert_eq!(text(&ended.wait().unwrap().output), shown);
    }
    let ours = |mounts: &str| mounts.contains(folder.path.to_str().unwrap());
    assert!(!ours(&before) && !ours(&mounts()));
    assert_eq!(fs::read_dir(folder.at("run")).unwrap().count(), 0);
}

/// In a mount namespace of its own, which needs no privilege, because it mounts something.
#[test]
#[expect(clippy::disallowed_methods, reason = "this test again, and a mount for it")]
fn what_is_mounted_below_a_place_to_read_is_mounted_for_reading_too() {
    const INSIDE: &str = "ESCAPOLOGY_TEST_INSIDE";
    const NAME: &str = "what_is_mounted_below_a_place_to_read_is_mounted_for_reading_too";
    if std::env::var_os(INSIDE).is_none() {
        let again = std::process::Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "--"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", NAME, "--nocapture"])
            .env(INSIDE, "1")
            .output()
            .unwrap();
        let said = text(&again.stdout);
        assert!(again.status.success(), "{said}{}", text(&again.stderr));
        assert!(said.contains("1 passed"), "{said}");
        return;
    }
    let folder = Folder::new();
    let below = folder.at("read/below");
    fs::create_dir(&below).unwrap();
    let mut mount = std::process::Command::new("mount");
    assert!(mount.args(["-t", "tmpfs", "none"]).arg(&below).status().unwrap().success());
    let script = "read text < HERE/read/below/text; echo $text
        { echo x > HERE/read/below/file; } 2>/dev/null && echo written below
        { echo x > HERE/read/write/file; } 2>/dev/null && echo written beside";
    for backend in [mount_namespace(), native_hidden()] {
        // The host itself may write there.
        fs::write(below.join("text"), "text\n").unwrap();
        let ended = folder.shell(&backend, script);
        assert_eq!(text(&ended.output), "text\nwritten beside\n", "{ended:?}");
    }
    let bare = folder.shell(&backends::none::none(), script);
    assert_eq!(text(&bare.output), "text\nwritten below\nwritten beside\n", "{bare:?}");
}
