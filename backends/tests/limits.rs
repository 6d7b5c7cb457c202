//! Limits that the launcher watches or the kernel keeps: each ends a program that goes beyond it, says
//! so, and leaves alone one that does not.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use backends::backend::Backend;
use backends::child::{Cause, Completed, Ended, Event, Exit};
use backends::command::Command;
use backends::linux::discover::{self, Needs};
use backends::native::native;
use backends::none::none;
use backends::policy::{Bound, Limits, Policy};
use std::ffi::OsStr;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};

/// A policy's run directory with something beside it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("run")).unwrap();
    folder
}

/// A policy that lets a program start, with these limits.
fn policy(needs: &Needs, limits: Limits) -> Policy {
    let builder = Policy::builder().devices().unwrap().limits(limits);
    builder.needs(needs).unwrap().build().unwrap()
}

fn shell(backend: &dyn Backend, limits: Limits, run: &Path, script: &str) -> Completed {
    let needs = discover::program(Path::new("/bin/bash"), OsStr::new("/usr/bin:/bin")).unwrap();
    let confinement = backend.prepare(&policy(&needs, limits)).unwrap();
    let mut command = Command::new(needs.image, run);
    command.arguments = vec!["-c".into(), script.into()];
    confinement.launch(command).unwrap().wait().unwrap()
}

/// Four mebibytes and a hundred entries.
fn small() -> Limits {
    Limits {
        run_directory_bytes: Bound::At(4 << 20),
        run_directory_entries: Bound::At(100),
        ..Limits::default()
    }
}

/// Stays until it is killed.
const STAY: &str = "while :; do :; done";

#[test]
fn a_run_directory_above_its_limit_ends_the_program_and_one_below_does_not() {
    let megabytes = |count: usize| {
        format!("for i in {{1..{count}}}; do printf -v x %1048576s; echo $x$i$x >f$i; done")
    };
    for backend in [none(), native()] {
        let (below, above) = (folder(), folder());
        let script = format!("IFS=; {}; echo done", megabytes(1));
        let kept = shell(&backend, small(), &below.path().join("run"), &script);
        assert_eq!((kept.ended.exit, kept.ended.cause), (Exit::Code(0), None), "{kept:?}");
        let script = format!("IFS=; {}; {STAY}", megabytes(4));
        let ended = shell(&backend, small(), &above.path().join("run"), &script);
        assert_eq!(ended.ended.cause, Some(Cause::RunDirectory), "{ended:?}");
        assert_eq!(ended.ended.exit, Exit::Signal(libc::SIGKILL));
    }
}

#[test]
fn what_a_program_left_counts_however_soon_it_ended() {
    let (few, many) = (folder(), folder());
    let touch = |count| format!("for i in {{1..{count}}}; do >f$i; done");
    let kept = shell(&native(), small(), &few.path().join("run"), &touch(99));
    assert_eq!((kept.ended.exit, kept.ended.cause), (Exit::Code(0), None));
    let left = shell(&native(), small(), &many.path().join("run"), &touch(101));
    assert_eq!((left.ended.exit, left.ended.cause), (Exit::Code(0), Some(Cause::RunDirectory)));
}

#[test]
fn a_deleted_file_counts_while_it_is_open_and_not_when_it_is_closed() {
    let (open, closed) = (folder(), folder());
    let delete = "exec 3>f; head -c 8388608 /dev/zero >&3; rm f";
    let held = format!("{delete}; {STAY}");
    let ended = shell(&none(), small(), &open.path().join("run"), &held);
    assert_eq!(ended.ended.cause, Some(Cause::RunDirectory));
    assert_eq!(std::fs::read_dir(open.path().join("run")).unwrap().count(), 0);
    // Here the limit cannot be met before the file is closed: each write is small.
    let freed =
        "for i in {1..6}; do exec 3>f; head -c 1048576 /dev/zero >&3; rm f; exec 3>&-; done";
    let kept = shell(&none(), small(), &closed.path().join("run"), freed);
    assert_eq!((kept.ended.exit, kept.ended.cause), (Exit::Code(0), None));
}

#[test]
fn links_are_neither_followed_nor_counted_twice() {
    let folder = folder();
    let run = folder.path().join("run");
    std::fs::write(folder.path().join("large"), vec![1; 8 << 20]).unwrap();
    std::fs::write(run.join("half"), vec![1; 3 << 20]).unwrap();
    symlink("../large", run.join("link")).unwrap();
    symlink("..", run.join("above")).unwrap();
    for name in ["one", "two", "three"] {
        std::fs::hard_link(run.join("half"), run.join(name)).unwrap();
    }
    let kept = shell(&native(), small(), &run, ":");
    assert_eq!((kept.ended.exit, kept.ended.cause), (Exit::Code(0), None));
    std::fs::write(run.join("rest"), vec![1; 2 << 20]).unwrap();
    let ended = shell(&native(), small(), &run, STAY);
    assert_eq!(ended.ended.cause, Some(Cause::RunDirectory));
}

#[test]
fn a_tree_deeper_than_can_be_measured_ends_the_program() {
    let (flat, deep) = (folder(), folder());
    let limits = || Limits { run_directory_entries: Bound::At(10_000), ..small() };
    let path = |levels: usize| deep.path().join("run").join("d/".repeat(levels));
    std::fs::create_dir_all(flat.path().join("run").join("d/".repeat(128))).unwrap();
    let kept = shell(&native(), limits(), &flat.path().join("run"), ":");
    assert_eq!(kept.ended.cause, None);
    std::fs::create_dir_all(path(130)).unwrap();
    let ended = shell(&native(), limits(), &deep.path().join("run"), STAY);
    assert_eq!(ended.ended.cause, Some(Cause::RunDirectory));
}

#[test]
fn a_program_that_stops_itself_meets_its_deadline() {
    let folder = folder();
    let limits = Limits { wall_clock_milliseconds: Bound::At(500), ..Limits::default() };
    for backend in [none(), native()] {
        let run = folder.path().join("run");
        let ended = shell(&backend, limits.clone(), &run, "echo before; kill -STOP $$; echo after");
        assert_eq!(ended.ended.cause, Some(Cause::WallClock));
        assert_eq!(ended.ended.exit, Exit::Signal(libc::SIGKILL));
        assert_eq!(ended.output, b"before\n", "it was stopped where it stopped itself");
    }
}

/// Holds the lock of its own output while it waits for a second byte that never comes, has its launcher look at
/// the output meanwhile, and gives up after as many seconds as it is told.
const HOLD: &str = "import os, socket, sys, threading, time
source, sink = socket.socketpair()
source.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 2)
sink.send(b'x')
def wake(): time.sleep(0.3); os.write(2, b'wake'); time.sleep(float(sys.argv[2])); os._exit(0)
threading.Thread(target=wake).start()
os.sendfile(1, source.fileno(), None, 9) if sys.argv[1] == 'sendfile' else os.splice(source.fileno(), 1, 9)
os._exit(7)";

/// Launches that program. How long its launcher waited for the first event, and how it ended.
fn held(backend: &dyn Backend, limits: Limits, call: &str, seconds: &str) -> (Duration, Ended) {
    let folder = folder();
    let python = discover::python(Path::new("python3"), OsStr::new("/usr/local/bin:/usr/bin:/bin"));
    let python = python.unwrap();
    let confinement = backend.prepare(&policy(&python.needs, limits)).unwrap();
    let mut command = Command::new(python.executable, folder.path().join("run"));
    command.arguments = ["-I", "-S", "-c", HOLD, call, seconds].map(Into::into).to_vec();
    let begun = Instant::now();
    let mut child = confinement.launch(command).unwrap();
    let mut first = None;
    loop {
        match child.next_event().unwrap() {
            Event::Output(_) | Event::Error(_) => first = first.or(Some(begun.elapsed())),
            Event::Ended(ended) => return (first.unwrap_or_default(), ended),
        }
    }
}

#[test]
fn a_program_that_holds_the_lock_of_its_output_meets_its_deadline() {
    let limits = Limits { wall_clock_milliseconds: Bound::At(1_500), ..Limits::default() };
    for call in ["sendfile", "splice"] {
        // The launcher is really held: it hears nothing of what was written before the program gave up.
        let (first, ended) = held(&none(), Limits::default(), call, "2");
        assert!(first > Duration::from_millis(2_200), "{first:?}");
        assert_eq!((ended.exit, ended.cause), (Exit::Code(0), None));
        let (first, ended) = held(&none(), limits.clone(), call, "30");
        assert_eq!(
            (ended.exit, ended.cause),
            (Exit::Signal(libc::SIGKILL), Some(Cause::WallClock))
        );
        assert!(
            first > Duration::from_millis(1_400) && ended.usage.wall.as_secs() < 20,
            "{ended:?}"
        );
        // The filter refuses the call, and the program ends at once.
        let (_first, ended) = held(&native(), limits.clone(), call, "30");
        assert_eq!((ended.exit, ended.cause), (Exit::Code(1), None));
    }
}

/// A launcher that waits in a call looks at no clock, and whichever program runs may have it wait.
#[test]
fn a_program_whose_launcher_does_not_look_meets_its_deadline() {
    let folder = folder();
    let needs = discover::program(Path::new("/bin/bash"), OsStr::new("/usr/bin:/bin")).unwrap();
    for backend in [none(), native()] {
        let launched = |limits| {
            let confinement = backend.prepare(&policy(&needs, limits)).unwrap();
            let mut command = Command::new(&needs.image, folder.path().join("run"));
            command.arguments = vec!["-c".into(), STAY.into()];
            confinement.launch(command).unwrap()
        };
        let is_dead = |child: &backends::child::Child| {
            std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap().contains(") Z ")
        };
        let unlimited = launched(Limits::default());
        let limits = Limits { wall_clock_milliseconds: Bound::At(500), ..Limits::default() };
        let limited = launched(limits);
        let ends = Instant::now() + Duration::from_secs(10);
        while !is_dead(&limited) {
            assert!(Instant::now() < ends, "nobody keeps the deadline");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!is_dead(&unlimited));
        let ended = limited.wait().unwrap().ended;
        assert_eq!(
            (ended.exit, ended.cause),
            (Exit::Signal(libc::SIGKILL), Some(Cause::WallClock))
        );
    }
}

#[test]
fn the_end_of_cpu_time_is_told_from_a_kill() {
    let folder = folder();
    let limits = Limits { cpu_seconds: Bound::At(1), ..Limits::default() };
    let run = folder.path().join("run");
    let killed = shell(&native(), limits.clone(), &run, "kill -KILL $$");
    assert_eq!((killed.ended.exit, killed.ended.cause), (Exit::Signal(libc::SIGKILL), None));
    let ended = shell(&native(), limits, &run, &format!("trap '' XCPU TERM; {STAY}"));
    assert_eq!(ended.ended.cause, Some(Cause::CpuTime), "{ended:?}");
}

#[test]
fn a_limit_can_be_lowered_and_not_raised() {
    let folder = folder();
    let limits = Limits { open_files: Bound::At(200), ..Limits::default() };
    let script =
        "ulimit -Sn; ulimit -Hn; ulimit -n 300 2>&- && echo raised; ulimit -n 100; ulimit -n";
    let seen = shell(&native(), limits, &folder.path().join("run"), script);
    assert_eq!(String::from_utf8_lossy(&seen.output), "200\n200\n100\n");
}

#[test]
fn a_process_that_holds_the_output_does_not_hold_the_launcher() {
    let folder = folder();
    let run = folder.path().join("run");
    let begun = std::time::Instant::now();
    let seen = shell(&none(), Limits::default(), &run, "sleep 20 & echo $!");
    assert!(begun.elapsed().as_secs() < 20, "the launcher waited for the end of the output");
    let pid: i32 = String::from_utf8_lossy(&seen.output).trim().parse().unwrap();
    // It was alive all the time: the descriptor that it holds is what a reader would wait for.
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL)
        .unwrap();
}

/// The launcher looks at nothing before the program is dead: what it counts then counts as well.
#[test]
fn output_above_its_limit_is_the_cause_also_of_an_end_that_came_before_anybody_looked() {
    for (bytes, cause) in [(1_000, None), (1_001, Some(Cause::Output))] {
        let folder = folder();
        let needs = discover::program(Path::new("/bin/bash"), OsStr::new("/usr/bin:/bin")).unwrap();
        let limits = Limits { output_bytes: Bound::At(1_000), ..Limits::default() };
        let confinement = native().prepare(&policy(&needs, limits)).unwrap();
        let mut command = Command::new(needs.image, folder.path().join("run"));
        command.arguments = vec!["-c".into(), format!("printf %{bytes}s").into()];
        let child = confinement.launch(command).unwrap();
        let stat = format!("/proc/{}/stat", child.id());
        // Dead, and reaped by nobody.
        while !std::fs::read_to_string(&stat).unwrap().contains(") Z ") {
            std::thread::yield_now();
        }
        let Completed { ended, output, .. } = child.wait().unwrap();
        assert_eq!((ended.exit, ended.cause), (Exit::Code(0), cause), "{bytes}");
        assert_eq!(output.len(), 1_000, "{bytes}");
    }
}

/// Where processes may be started, a limit ends those that the program started, too.
#[test]
fn a_limit_that_ends_a_program_ends_what_it_started() {
    let folder = folder();
    let limits = Limits { wall_clock_milliseconds: Bound::At(500), ..Limits::default() };
    let script = format!("sleep 1000 & echo $!; {STAY}");
    let ended = shell(&none(), limits, &folder.path().join("run"), &script);
    assert_eq!(ended.ended.cause, Some(Cause::WallClock));
    let started: i32 = String::from_utf8(ended.output).unwrap().trim().parse().unwrap();
    let ends = Instant::now() + Duration::from_secs(10);
    // Dead when nobody has the number any more, or nobody has looked yet.
    let lives = || {
        std::fs::read_to_string(format!("/proc/{started}/stat"))
            .is_ok_and(|stat| !stat.contains(") Z "))
    };
    while lives() {
        assert!(Instant::now() < ends, "{started} outlived the program");
        std::thread::yield_now();
    }
}
