//! The launch path on the real kernel: what a program gets, how it ends, and that nothing falls through.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

#[path = "launch/starts.rs"]
mod starts;
#[path = "launch/streams.rs"]
mod streams;

use backends::backend::{Backend, Confinement};
use backends::child::{Cause, Completed, Exit};
use backends::command::{Command, Input};
use backends::launch::LaunchError;
use backends::linux::discover;
use backends::native::native;
use backends::none::none;
use backends::policy::{Bound, Limits, Policy, PolicyBuilder};
use std::ffi::OsStr;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A policy that lets one program start and grants nothing else but `/dev/null`.
fn policy_for(program: &Path) -> (PolicyBuilder, PathBuf) {
    let needs = discover::program(program, OsStr::new("/usr/bin:/bin")).unwrap();
    let builder = Policy::builder().write(Path::new("/dev/null")).unwrap();
    (builder.needs(&needs).unwrap(), needs.image)
}

/// A confinement under which that program can start, and its image.
fn confined(program: &Path) -> (Box<dyn Confinement>, PathBuf) {
    let (builder, image) = policy_for(program);
    (native().prepare(&builder.build().unwrap()).unwrap(), image)
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("run")).unwrap();
    folder
}

fn shell(backend: &dyn Backend, limits: Limits, run: &Path, script: &str) -> Completed {
    let (builder, image) = policy_for(Path::new("/bin/bash"));
    let confinement = backend.prepare(&builder.limits(limits).build().unwrap()).unwrap();
    let mut command = Command::new(image, run);
    command.arguments = vec!["-c".into(), script.into()];
    confinement.launch(command).unwrap().wait().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_secret_is_read_bare_and_denied_confined_while_an_own_file_is_read_in_both() {
    let folder = folder();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "token").unwrap();
    std::fs::write(folder.path().join("run/own"), "own").unwrap();
    let script = format!("read x < own; echo $x; read y < {}; echo $y", secret.display());
    let bare = shell(&none(), Limits::default(), &folder.path().join("run"), &script);
    assert_eq!(text(&bare.output), "own\ntoken\n");
    let confined = shell(&native(), Limits::default(), &folder.path().join("run"), &script);
    assert!(text(&confined.output).starts_with("own\n"), "{confined:?}");
    assert!(!text(&confined.output).contains("token"), "{confined:?}");
}

#[test]
fn a_second_program_is_started_bare_and_refused_confined() {
    let folder = folder();
    let run = folder.path().join("run");
    let bare = shell(&none(), Limits::default(), &run, "/bin/echo second; echo first");
    assert_eq!(text(&bare.output), "second\nfirst\n");
    let confined = shell(
        &native(),
        Limits::default(),
        &run,
        "echo first; /bin/echo second; exec /bin/echo second",
    );
    assert!(text(&confined.output).starts_with("first\n"), "{confined:?}");
    assert!(!text(&confined.output).contains("second"), "{confined:?}");
}

#[test]
fn exit_codes_and_signals_are_passed_on() {
    let folder = folder();
    for backend in [none(), native()] {
        let run = folder.path().join("run");
        let code = shell(&backend, Limits::default(), &run, "exit 7");
        assert_eq!(code.ended.exit, Exit::Code(7));
        let signal = shell(&backend, Limits::default(), &run, "kill -TERM $$");
        assert_eq!(signal.ended.exit, Exit::Signal(libc::SIGTERM));
    }
}

#[test]
fn the_program_starts_in_its_run_directory_with_the_policy_s_environment_only() {
    let folder = folder();
    let run = folder.path().join("run").canonicalize().unwrap();
    let completed =
        shell(&native(), Limits::default(), &run, "pwd; echo $HOME; echo ${CARGO_PKG_NAME:-none}");
    assert_eq!(text(&completed.output), format!("{0}\n{0}\nnone\n", run.display()));
}

#[test]
fn the_wall_clock_ends_a_program_that_waits_for_ever_and_its_output_is_kept() {
    let folder = folder();
    let limits = Limits { wall_clock_milliseconds: Bound::At(300), ..Limits::default() };
    let completed =
        shell(&native(), limits, &folder.path().join("run"), "echo before; while :; do :; done");
    assert_eq!(completed.ended.cause, Some(Cause::WallClock));
    assert_eq!(completed.ended.exit, Exit::Signal(libc::SIGKILL));
    assert_eq!(text(&completed.output), "before\n");
}

#[test]
fn a_priority_above_the_ordinary_is_inherited_bare_and_given_up_confined() {
    let folder = folder();
    // Without an argument it prints the niceness that it has.
    let niceness = |backend: &dyn Backend| {
        let (builder, image) = policy_for(Path::new("/usr/bin/nice"));
        let confinement = backend.prepare(&builder.build().unwrap()).unwrap();
        let command = Command::new(image, folder.path().join("run"));
        text(&confinement.launch(command).unwrap().wait().unwrap().output)
    };
    // The priority is the thread's own: it ends with it.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // What is below the ordinary stays.
            rustix::process::setpriority_process(None, 5).unwrap();
            assert_eq!([niceness(&none()), niceness(&native())], ["5\n", "5\n"]);
            // Only the privileged have anything to hand on.
            if rustix::process::setpriority_process(None, -5).is_ok() {
                assert_eq!([niceness(&none()), niceness(&native())], ["-5\n", "0\n"]);
            }
        });
    });
}

#[test]
fn a_dropped_program_is_dead() {
    let folder = folder();
    let (confinement, image) = confined(Path::new("/bin/sleep"));
    let mut command = Command::new(image, folder.path().join("run"));
    command.arguments = vec!["1000".into()];
    let child = confinement.launch(command).unwrap();
    let process = PathBuf::from(format!("/proc/{}", child.id()));
    assert!(process.exists());
    drop(child);
    assert!(!process.exists());
}

#[test]
fn a_program_dies_with_the_thread_that_launched_it() {
    let folder = folder();
    let (confinement, image) = confined(Path::new("/bin/sleep"));
    let run = folder.path().join("run");
    let id = std::thread::scope(|scope| {
        let launch = || {
            let mut command = Command::new(&image, &run);
            command.arguments = vec!["1000".into()];
            let child = confinement.launch(command).unwrap();
            let id = child.id();
            std::mem::forget(child);
            id
        };
        scope.spawn(launch).join().unwrap()
    });
    let status = nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(id as i32), None).unwrap();
    assert!(matches!(
        status,
        nix::sys::wait::WaitStatus::Signaled(_, nix::sys::signal::Signal::SIGKILL, _)
    ));
}

#[test]
fn every_claimed_protection_is_active_on_this_host_or_says_why_not() {
    let support = native().support();
    let missing: Vec<_> = support.missing().collect();
    assert!(missing.is_empty(), "{missing:?}");
    // The same probe sees that a bare process has none of it.
    let bare = backends::native::native()
        .without(backends::layered::Weakening::Seccomp)
        .without(backends::layered::Weakening::Landlock);
    assert!(bare.support().missing().count() > 0);
}

/// A host may have any mask, and what its programs leave is for others to read and not to change.
#[test]
fn what_a_program_makes_is_written_by_its_own_user_alone() {
    for backend in [none(), native()] {
        let folder = folder();
        let run = folder.path().join("run");
        let ended = shell(&backend, Limits::default(), &run, ": > made; umask");
        assert_eq!(text(&ended.output), "0022\n", "{}: {ended:?}", backend.name());
        let mode = std::fs::metadata(run.join("made")).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o644, "{}", backend.name());
    }
}
