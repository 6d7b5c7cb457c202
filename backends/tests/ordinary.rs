//! What an ordinary user cannot remove by ordinary means is removed all the same. A closed directory stops nobody
//! who is privileged, so where this runs as root each test is run again as another user, from a copy of this
//! program.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use backends::child::{Cause, Exit};
use backends::executor::Program;
use backends::grants::{Grants, Refusal};
use backends::host::Host;
use backends::owner::Owner;
use backends::policy::Policy;
use backends::session::{Base, Session};
use backends::sweep::sweep;
use backends::unit::Unit;
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::fd::AsFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// `nobody`.
const ORDINARY: &str = "65534";

/// Runs a test as an ordinary user, in a folder of that user.
#[expect(clippy::disallowed_methods, reason = "another user's process, not a confined program")]
fn as_ordinary_user(test: &str, act: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    if !rustix::process::geteuid().is_root() {
        return act(&folder.path().canonicalize().unwrap());
    }
    let program = folder.path().join("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
    let done = std::process::Command::new("setpriv")
        .args(["--reuid", ORDINARY, "--regid", ORDINARY, "--clear-groups", "--"])
        .arg(&program)
        .args(["--exact", test, "--nocapture"])
        .env_clear()
        .env("TMPDIR", folder.path())
        .env("PATH", "/usr/bin:/bin")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert!(said.contains("1 passed"), "{said}");
}

/// Lays a tree of which nothing can be removed by ordinary means: closed directories in closed directories, with
/// files, links and open directories in them.
fn close(directory: &Path) {
    let inner = directory.join("closed/shut/inner");
    fs::create_dir_all(inner.join("open")).unwrap();
    for (at, mode) in [("closed/shut/inner", 0o0), ("closed/shut", 0o400), ("closed", 0o0)] {
        let at = directory.join(at);
        fs::write(at.join("file"), "file").unwrap();
        fs::set_permissions(at.join("file"), Permissions::from_mode(0o0)).unwrap();
        symlink("/etc", at.join("link")).unwrap();
        fs::set_permissions(&at, Permissions::from_mode(mode)).unwrap();
    }
}

/// The control: an ordinary removal fails, for whom it should.
fn stays(directory: &Path) {
    let refused = fs::remove_dir_all(directory.join("closed")).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
}

fn names(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// HT-MODE000.
#[test]
fn a_closed_tree_in_a_run_directory_goes_with_the_run() {
    as_ordinary_user("a_closed_tree_in_a_run_directory_goes_with_the_run", |folder| {
        let session = Session::builder().base(folder.join("base")).build();
        let text = "import os\nos.umask(0o777); os.mkdir('born closed')\nprint(os.getcwd())";
        let run = session.run(&Program::python(text)).unwrap();
        let said = String::from_utf8_lossy(run.stdout()).into_owned();
        let directory = PathBuf::from(said.trim());
        assert_eq!(
            fs::read_dir(directory.join("born closed")).unwrap_err().kind(),
            ErrorKind::PermissionDenied
        );
        close(&directory);
        stays(&directory);
        drop(run);
        assert!(!directory.exists());
        assert_eq!(session.close(), [""; 0]);
    });
}

#[test]
fn a_closed_tree_in_a_dead_session_goes_with_the_sweep() {
    as_ordinary_user("a_closed_tree_in_a_dead_session_goes_with_the_sweep", |folder| {
        let base = Base::open(&folder.join("base"), &[]).unwrap();
        let root = base.path().join("session-dead");
        fs::create_dir(&root).unwrap();
        let mut owner = Owner::current("native").unwrap();
        owner.pid = 0;
        owner.write(fs::File::open(&root).unwrap().as_fd(), "owner.json").unwrap();
        close(&root);
        stays(&root);
        let swept = sweep(&base).unwrap();
        assert_eq!(swept.len(), 1);
        assert_eq!(swept[0].findings, [""; 0]);
        assert!(!root.exists());
    });
}

#[test]
fn a_unit_that_closes_a_directory_is_sealed_and_leaves_nothing() {
    as_ordinary_user("a_unit_that_closes_a_directory_is_sealed_and_leaves_nothing", |folder| {
        let before = names(&std::env::temp_dir());
        let mut unit = Unit::new("/bin/mkdir");
        unit.arguments = ["-m", "0", "closed"].map(Into::into).to_vec();
        let sealed = Host::default().run_and_seal(&unit).unwrap();
        assert_eq!(sealed.ended().exit, Exit::Code(0));
        assert_eq!(names(&std::env::temp_dir()), before);
        // The same directory stops an ordinary removal.
        fs::create_dir(folder.join("closed")).unwrap();
        fs::set_permissions(folder.join("closed"), Permissions::from_mode(0o0)).unwrap();
        stays(folder);
        fs::set_permissions(folder.join("closed"), Permissions::from_mode(0o700)).unwrap();
    });
}

/// Who may not list a directory cannot measure it, though its owner can fill it.
#[test]
fn a_directory_that_hides_what_is_in_it_is_above_every_limit_and_one_that_holds_nothing_is_not() {
    let name = "a_directory_that_hides_what_is_in_it_is_above_every_limit_and_one_that_holds_nothing_is_not";
    as_ordinary_user(name, |_folder| {
        for (mode, cause) in [
            ("700", None),
            ("500", None),
            ("100", None),
            ("200", None),
            ("0", None),
            ("300", Some(Cause::RunDirectory)),
        ] {
            let mut unit = Unit::new("/bin/mkdir");
            unit.arguments = ["-m", mode, "made"].map(Into::into).to_vec();
            let sealed = Host::default().run_and_seal(&unit).unwrap();
            assert_eq!(sealed.ended().exit, Exit::Code(0), "{mode}");
            assert_eq!(sealed.ended().cause, cause, "{mode}");
        }
    });
}

/// A file in a directory that can be entered and not listed can be written by who knows its name, and with it
/// the file outside that is the same.
#[test]
fn a_place_to_write_whose_files_cannot_be_told_is_refused_and_a_closed_one_is_not() {
    let name = "a_place_to_write_whose_files_cannot_be_told_is_refused_and_a_closed_one_is_not";
    as_ordinary_user(name, |folder| {
        let granted = folder.join("granted");
        let inner = granted.join("inner");
        fs::create_dir_all(&inner).unwrap();
        fs::write(folder.join("outside"), "outside").unwrap();
        fs::hard_link(folder.join("outside"), inner.join("inside")).unwrap();
        let policy = || Policy::from_grants(&Grants::default().write(&granted));
        assert!(matches!(policy(), Err(Refusal::Shared { .. })));
        for mode in [0o100, 0o300] {
            fs::set_permissions(&inner, Permissions::from_mode(mode)).unwrap();
            assert!(fs::metadata(inner.join("inside")).is_ok());
            let refused = policy();
            assert!(matches!(refused, Err(Refusal::Look { .. })), "{mode:o}: {refused:?}");
        }
        for mode in [0o0, 0o200] {
            fs::set_permissions(&inner, Permissions::from_mode(mode)).unwrap();
            assert!(fs::metadata(inner.join("inside")).is_err());
            policy().unwrap();
        }
        fs::set_permissions(&inner, Permissions::from_mode(0o700)).unwrap();
    });
}
