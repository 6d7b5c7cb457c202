//! Linux. What `docs/behaviour.md` says that a confined program is answered, errno for errno: one program
//! does every act, bare and under `escapology run`, and both lists of answers are compared.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails where its setting is broken"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Every act with the answer under `native`. Bare, each is `done`.
const ANSWERS: &[(&str, &str)] = &[
    ("open a file outside", "EACCES"),
    ("create outside", "EACCES"),
    ("remove outside", "EACCES"),
    ("list outside", "EACCES"),
    ("list /", "EACCES"),
    ("list /proc", "EACCES"),
    ("list /sys", "EACCES"),
    ("list /dev/shm", "EACCES"),
    ("link out", "EACCES"),
    ("rename out", "EACCES"),
    ("link a file outside in", "EXDEV"),
    ("link between own directories", "done"),
    ("rename between own directories", "done"),
    ("stat outside", "done"),
    ("access outside", "done"),
    ("readlink outside", "done"),
    ("chdir outside", "done"),
    ("write /dev/null", "done"),
    ("read /dev/zero", "done"),
    ("read /dev/urandom", "done"),
    ("chmod outside", "done"),
    ("utime outside", "done"),
    ("mode is changed", "unchanged"),
    ("time is changed", "unchanged"),
    ("touch an own file that is there", "done"),
    ("touch an own file that is not there", "done"),
    ("utime an own file without times", "EACCES"),
    ("set an attribute", "ENOTSUP"),
    ("list attributes", "ENOTSUP"),
    ("make a FIFO", "EPERM"),
    ("start a thread", "done"),
    ("fork", "EPERM"),
    ("posix_spawn", "EPERM"),
    ("subprocess", "EPERM"),
    ("execve", "EPERM"),
    ("execveat", "ENOSYS"),
    ("os.system", "failed"),
    ("multiprocessing lock", "EACCES"),
    ("multiprocessing pool", "EACCES"),
    ("process pool executor", "EACCES"),
    ("shared memory", "EACCES"),
    ("thread pool of multiprocessing", "EACCES"),
    ("thread pool executor", "done"),
    ("socket inet", "EACCES"),
    ("socket inet datagram", "EACCES"),
    ("socket unix", "EACCES"),
    ("socket pair", "done"),
    ("datagram pair", "EACCES"),
    ("look up localhost", "EAI_AGAIN"),
    ("look up localhost for IPv4", "EAI_NONAME"),
    ("signal 0 to itself", "done"),
    ("signal 0 to the parent", "EPERM"),
    ("clone3", "ENOSYS"),
    ("io_uring_setup", "ENOSYS"),
    ("inotify_add_watch", "ENOSYS"),
    ("memfd_create", "EPERM"),
    ("capget", "EPERM"),
    ("futex that has an owner", "ENOSYS"),
    ("unshare", "EPERM"),
    ("mount", "EPERM"),
    ("shmget", "ENOSYS"),
    ("keyctl", "ENOSYS"),
    ("sendfile", "ENOSYS"),
    ("splice", "ENOSYS"),
    ("landlock_create_ruleset", "ENOSYS"),
    ("seccomp", "ENOSYS"),
    ("a call that no kernel has", "ENOSYS"),
    ("ioctl that asks for the block size", "ENOTTY"),
    ("fcntl that sizes a pipe", "EPERM"),
    ("prctl that sets dumpable", "EPERM"),
    ("setuid to itself", "EPERM"),
    ("ask for no_new_privs", "done"),
    ("map code that is written", "done"),
];

#[expect(
    clippy::disallowed_methods,
    reason = "the command under test is started as its users start it"
)]
fn command(program: &str) -> Command {
    Command::new(program)
}

/// The answers of the program, by act.
fn answers(command: &mut Command) -> BTreeMap<String, String> {
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}\n{}", String::from_utf8_lossy(&done.stderr));
    let line = |line: &str| line.split_once('\t').map(|(act, answer)| (act.into(), answer.into()));
    said.lines().filter_map(line).collect()
}

/// A Python interpreter with every module that the acts need.
fn python() -> Option<String> {
    let named = std::env::var("ESCAPOLOGY_PYTHON").unwrap_or_else(|_unset| "python3".to_owned());
    let text = "import _ctypes, _multiprocessing, sys, sysconfig; print(sys.executable)";
    let done = command(&named).args(["-I", "-c", text]).output().ok()?;
    done.status.success().then(|| String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

/// Acts in `outside`, which the program is told and not granted.
fn furnish(outside: &Path) {
    std::fs::write(outside.join("file"), "outside").unwrap();
    std::fs::write(outside.join("removable"), "outside").unwrap();
    std::os::unix::fs::symlink("file", outside.join("link")).unwrap();
}

#[test]
fn every_act_is_answered_as_the_documentation_says() {
    // Nothing is skipped in silence: `certify` needs an interpreter on this host as well.
    let python = python().expect("an interpreter with ctypes and multiprocessing");
    let (code, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let script = code.path().join("acts.py");
    std::fs::write(&script, include_str!("behaviour/acts.py")).unwrap();

    let outside = tempfile::tempdir().unwrap();
    furnish(outside.path());
    let mut bare = command(&python);
    bare.args(["-I", "-S", "-B"]).arg(&script).args([own.path(), outside.path()]).arg("bare");
    let bare = answers(&mut bare);

    let (own, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    furnish(outside.path());
    let confined = answers(
        command(env!("CARGO_BIN_EXE_escapology"))
            .arg("run")
            .arg("--read")
            .arg(&script)
            .arg("--write")
            .arg(own.path())
            .args(["--", &python, "-I", "-S", "-B"])
            .arg(&script)
            .args([own.path(), outside.path()]),
    );
    let told: BTreeMap<String, String> =
        ANSWERS.iter().map(|(act, answer)| ((*act).into(), (*answer).into())).collect();
    assert_eq!(confined, told);
    let done: BTreeMap<String, String> =
        ANSWERS.iter().map(|(act, _)| ((*act).into(), "done".into())).collect();
    assert_eq!(bare, done);
}
