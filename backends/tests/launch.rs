//! The launch path on the real kernel: what a program gets, how it ends, and that nothing falls through.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

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
use std::path::Path;

/// A policy that lets one program start and grants nothing else but `/dev/null`.
fn policy_for(program: &Path) -> (PolicyBuilder, std::path::PathBuf) {
    let needs = discover::program(program, OsStr::new("/usr/bin:/bin")).unwrap();
    let builder = Policy::builder().write(Path::new("/dev/null")).unwrap();
    (builder.needs(&needs).unwrap(), needs.image)
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
fn the_output_cap_ends_a_program_that_floods_and_cuts_at_the_cap() {
    let folder = folder();
    let limits = Limits { output_bytes: Bound::At(10_000), ..Limits::default() };
    let completed = shell(
        &native(),
        limits,
        &folder.path().join("run"),
        "while :; do echo 0123456789012345678901234567890123456789; done",
    );
    assert_eq!(completed.ended.cause, Some(Cause::Output));
    assert_eq!(completed.output.len(), 10_000);
}

#[test]
fn input_is_fed_and_ends() {
    let folder = folder();
    let (builder, image) = policy_for(Path::new("/bin/cat"));
    let confinement = native().prepare(&builder.build().unwrap()).unwrap();
    let mut command = Command::new(image, folder.path().join("run"));
    command.input = Input::Fed;
    let mut child = confinement.launch(command).unwrap();
    let sent: Vec<u8> = (0..3_000_000u32).map(|number| number as u8).collect();
    child.feed(&sent);
    child.close_input();
    assert_eq!(child.wait().unwrap().output, sent);
}

#[test]
fn a_file_as_input_is_left_where_the_program_stopped_reading() {
    let folder = folder();
    let path = folder.path().join("input");
    std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
    let file = std::fs::File::open(&path).unwrap();
    let (builder, image) = policy_for(Path::new("/bin/true"));
    let confinement = native().prepare(&builder.build().unwrap()).unwrap();
    let mut command = Command::new(image, folder.path().join("run"));
    command.input = Input::From(file.try_clone().unwrap().into());
    confinement.launch(command).unwrap().wait().unwrap();
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut &file, &mut rest).unwrap();
    assert_eq!(rest, "one\ntwo\nthree\n");
}

#[test]
fn a_program_that_writes_into_its_own_input_does_not_move_the_caller_s_file_back() {
    let folder = folder();
    let path = folder.path().join("input");
    std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
    let mut file = std::fs::File::open(&path).unwrap();
    // What the caller has read already.
    std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(8)).unwrap();
    let (builder, image) = policy_for(Path::new("/bin/bash"));
    let confinement = native().prepare(&builder.build().unwrap()).unwrap();
    let mut command = Command::new(image, folder.path().join("run"));
    // The name in /proc opens the other end, which no right on files denies.
    let script = "read line; echo $line; echo four fifty-six > /proc/self/fd/0 && echo written";
    command.arguments = vec!["-c".into(), script.into()];
    command.input = Input::From(file.try_clone().unwrap().into());
    let completed = confinement.launch(command).unwrap().wait().unwrap();
    assert_eq!(text(&completed.output), "three\nwritten\n");
    let position = std::io::Seek::stream_position(&mut file).unwrap();
    assert!(position >= 8, "{position}");
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
fn descriptors_of_the_host_are_inherited_bare_and_closed_confined() {
    let folder = folder();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "token").unwrap();
    let file = std::fs::File::open(&secret).unwrap();
    // A duplicate without close-on-exec, which is what a careless host leaves open.
    let leaked = nix::unistd::dup(&file).unwrap();
    let script = format!("read x <&{}; echo $x", leaked.as_raw_fd());
    let run = folder.path().join("run");
    assert_eq!(text(&shell(&none(), Limits::default(), &run, &script).output), "token\n");
    std::io::Seek::rewind(&mut &file).unwrap();
    let confined = shell(&native(), Limits::default(), &run, &script);
    assert!(!text(&confined.output).contains("token"), "{confined:?}");
}

#[test]
fn what_cannot_be_launched_is_a_typed_error() {
    let folder = folder();
    let run = folder.path().join("run");
    let (builder, image) = policy_for(Path::new("/bin/true"));
    let confinement = native().prepare(&builder.build().unwrap()).unwrap();
    let refused = |program: &Path, run: &Path| match confinement.launch(Command::new(program, run))
    {
        Ok(child) => panic!("{program:?} was launched: {:?}", child.wait()),
        Err(error) => error,
    };
    assert!(matches!(refused(Path::new("/absent"), &run), LaunchError::NotFound { .. }));
    assert!(matches!(refused(Path::new("/tmp"), &run), LaunchError::NotExecutable { .. }));
    assert!(matches!(
        refused(&image, &folder.path().join("absent")),
        LaunchError::RunDirectory { .. }
    ));
    std::os::unix::fs::symlink(&run, folder.path().join("link")).unwrap();
    assert!(matches!(
        refused(&image, &folder.path().join("link")),
        LaunchError::RunDirectory { .. }
    ));
    // Not granted for execution, though everybody may execute it.
    assert!(matches!(refused(Path::new("/bin/cat"), &run), LaunchError::NotExecutable { .. }));
    std::fs::write(run.join("text"), "no program").unwrap();
    std::fs::set_permissions(run.join("text"), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(refused(&run.join("text"), &run), LaunchError::NotExecutable { .. }));
    let mut large = Command::new(&image, &run);
    large.arguments = vec!["x".repeat(200_000).into()];
    assert!(matches!(confinement.launch(large), Err(LaunchError::TooLarge(_))));
    let mut nul = Command::new(&image, &run);
    nul.arguments = vec!["a\0b".into()];
    assert!(matches!(confinement.launch(nul), Err(LaunchError::Nul)));
    // The control: the same confinement launches what it was made for.
    let completed = confinement.launch(Command::new(&image, &run)).unwrap().wait().unwrap();
    assert_eq!(completed.ended.exit, Exit::Code(0));
}

#[test]
fn many_threads_launch_at_once_and_each_gets_its_own_program_s_end() {
    let folder = folder();
    let run = folder.path().join("run");
    let (builder, image) = policy_for(Path::new("/bin/sh"));
    let confinement = native().prepare(&builder.build().unwrap()).unwrap();
    let confinement: &dyn Confinement = &*confinement;
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (run, image) = (&run, &image);
            scope.spawn(move || {
                for round in 0..50 {
                    let code = (thread * 50 + round) % 256;
                    let mut command = Command::new(image, run);
                    command.arguments =
                        vec!["-c".into(), format!("echo {code}; exit {code}").into()];
                    let completed = confinement.launch(command).unwrap().wait().unwrap();
                    assert_eq!(completed.ended.exit, Exit::Code(code));
                    assert_eq!(text(&completed.output), format!("{code}\n"));
                }
            });
        }
    });
}

#[test]
fn a_dropped_program_is_dead() {
    let folder = folder();
    let (builder, image) = policy_for(Path::new("/bin/sleep"));
    let confinement = native().prepare(&builder.build().unwrap()).unwrap();
    let mut command = Command::new(image, folder.path().join("run"));
    command.arguments = vec!["1000".into()];
    let child = confinement.launch(command).unwrap();
    let process = std::path::PathBuf::from(format!("/proc/{}", child.id()));
    assert!(process.exists());
    drop(child);
    assert!(!process.exists());
}

#[test]
fn a_program_dies_with_the_thread_that_launched_it() {
    let folder = folder();
    let (builder, image) = policy_for(Path::new("/bin/sleep"));
    let confinement = native().prepare(&builder.build().unwrap()).unwrap();
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

#[test]
fn a_start_that_takes_too_long_is_given_up() {
    let folder = folder();
    let limits = Limits { wall_clock_milliseconds: Bound::At(0), ..Limits::default() };
    let (builder, image) = policy_for(Path::new("/bin/true"));
    let confinement = native().prepare(&builder.limits(limits).build().unwrap()).unwrap();
    let outcome = confinement.launch(Command::new(image, folder.path().join("run")));
    match outcome {
        Err(LaunchError::StartTimedOut) => {}
        Err(error) => panic!("{error}"),
        Ok(child) => assert_eq!(child.wait().unwrap().ended.cause, Some(Cause::WallClock)),
    }
}

#[test]
fn a_programs_text_is_read_and_not_written_and_its_neighbour_stays_closed() {
    let folder = folder();
    let base = folder.path().canonicalize().unwrap();
    std::fs::write(base.join("text"), "echo text was read\n").unwrap();
    std::fs::write(base.join("neighbour"), "echo neighbour was read\n").unwrap();
    let (builder, image) = policy_for(Path::new("/bin/bash"));
    let policy = builder.program_text().build().unwrap();
    assert!(String::from_utf8(policy.canonical()).unwrap().contains("\"{program}\""));
    let confinement = native().prepare(&policy).unwrap();
    let script = format!(
        ". {0}/text; . {0}/neighbour; echo changed > {0}/text; echo own > own; cat own",
        base.display()
    );
    let command = || {
        let mut command = Command::new(&image, base.join("run"));
        command.arguments = vec!["-c".into(), script.clone().into()];
        command
    };
    let mut with_text = command();
    with_text.program_text = Some(base.join("text"));
    let completed = confinement.launch(with_text).unwrap().wait().unwrap();
    assert!(text(&completed.output).starts_with("text was read\n"), "{completed:?}");
    assert!(!text(&completed.output).contains("neighbour"), "{completed:?}");
    assert_eq!(std::fs::read(base.join("text")).unwrap(), b"echo text was read\n");
    assert_eq!(std::fs::read(base.join("run/own")).unwrap(), b"own\n");
    let refused = confinement.launch(command());
    assert!(matches!(refused, Err(LaunchError::Unavailable(_))), "{refused:?}");
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
