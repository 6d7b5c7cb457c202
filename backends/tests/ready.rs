//! Children that wait for their program: they are confined like others, and neither a host nor a program has to
//! think of them.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

mod waiting;

use backends::backend::Backend;
use backends::child::{Child, Completed, Exit};
use backends::command::Input;
use backends::policy::Policy;
use libtest_mimic::{Arguments, Trial};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use waiting::{Place, waiting, without_program};

/// What this binary is told to be a host that executes another program.
const HOST: &str = "--host";

fn main() {
    if std::env::args_os().nth(1).as_deref() == Some(HOST.as_ref()) {
        become_another();
    }
    let trial = |name: &str, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let trials = vec![
        trial("a_program_of_a_child_that_waited_is_confined_like_any_other", confined),
        trial("a_child_that_waits_holds_nothing_of_its_launcher_but_a_channel", holds_nothing),
        trial("a_child_that_waits_ends_with_its_confinement", ends),
        trial("the_next_child_is_started_when_a_program_has_ended_and_not_before", renewed),
        trial("a_child_that_was_killed_while_it_waited_is_not_missed", killed),
        trial("a_host_that_executes_another_program_leaves_no_child_behind", executes),
        trial("a_host_that_waits_for_all_its_children_does_not_wait_for_one_that_waits", unseen),
        trial("a_thread_that_confined_itself_does_not_get_the_child_of_another", own_restrictions),
        trial("threads_that_launch_at_once_share_what_is_ready", many),
    ];
    // They look at all children of this process.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit();
}

/// What a script comes to in the child that waits.
fn in_ready(place: &Place, script: &str) -> Completed {
    let waiting = waiting();
    let child = place.confinement.launch(place.command(script)).unwrap();
    assert_eq!(child.id(), waiting);
    child.wait().unwrap()
}

fn is_there(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn confined() {
    let place = Place::new();
    let secret = place.folder.path().join("secret");
    fs::write(&secret, "token").unwrap();
    let outside = place.folder.path().join("planted");
    let script = format!(
        "echo own > own; read x < own; echo $x; read y < {}; echo $y; echo > {}; /bin/echo second; ulimit -n",
        secret.display(),
        outside.display()
    );
    for _ in 0..3 {
        let completed = in_ready(&place, &script);
        let output = text(&completed.output);
        assert!(output.starts_with("own\n"), "{completed:?}");
        assert!(!output.contains("token") && !output.contains("second"), "{completed:?}");
        assert!(!outside.exists(), "{completed:?}");
    }
    // The control: each of these is done by a program that nothing confines.
    let bare = backends::none::none().prepare(&Policy::builder().build().unwrap()).unwrap();
    let completed = bare.launch(place.command(&script)).unwrap().wait().unwrap();
    assert!(text(&completed.output).starts_with("own\ntoken\nsecond\n"), "{completed:?}");
    assert!(outside.exists());
}

fn holds_nothing() {
    let place = Place::new();
    let _open = fs::File::open("/dev/zero").unwrap();
    let pid = waiting();
    let names = |pid: &str| -> Vec<String> {
        let entries = fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
        let mut names: Vec<(u32, String)> = entries
            .flatten()
            .map(|entry| {
                let target = fs::read_link(entry.path()).unwrap_or_default();
                let number = entry.file_name().to_str().unwrap().parse().unwrap();
                (number, target.display().to_string())
            })
            .collect();
        names.sort();
        names.into_iter().map(|(number, target)| format!("{number} {target}")).collect()
    };
    let its = names(&pid.to_string());
    assert_eq!(its.len(), 3, "{its:?}");
    for (number, name) in its.iter().enumerate() {
        assert!(name.starts_with(&format!("{number} socket:")), "{its:?}");
    }
    assert!(names("self").iter().any(|name| name.ends_with("/dev/zero")));
    assert_eq!(fs::read_link(format!("/proc/{pid}/cwd")).unwrap(), Path::new("/"));
    assert_ne!(std::env::current_dir().unwrap(), Path::new("/"));
    drop(place);
}

fn ends() {
    let place = Place::new();
    let pid = waiting();
    drop(place);
    assert!(!is_there(pid));
    assert_eq!(without_program(), [0; 0]);
}

fn renewed() {
    let place = Place::new();
    let ends: [fn(Child); 3] = [
        |mut child| {
            child.close_input();
            assert_eq!(child.wait().unwrap().ended.exit, Exit::Code(1));
        },
        |child| child.kill().unwrap(),
        drop,
    ];
    for end in ends {
        let waiting = waiting();
        let mut command = place.command("read line");
        command.input = Input::Fed;
        let child = place.confinement.launch(command).unwrap();
        assert_eq!(child.id(), waiting);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(without_program(), [0; 0]);
        end(child);
    }
    // And when none was launched.
    let mut command = place.command("exit");
    command.program = place.folder.path().join("absent");
    let waiting_before = waiting();
    place.confinement.launch(command).unwrap_err();
    assert_eq!(waiting(), waiting_before);
}

fn killed() {
    let place = Place::new();
    let pid = waiting();
    kill(Pid::from_raw(pid.cast_signed()), Signal::SIGKILL).unwrap();
    let completed =
        place.confinement.launch(place.command("echo $$; exit 7")).unwrap().wait().unwrap();
    assert_eq!(completed.ended.exit, Exit::Code(7));
    assert_ne!(text(&completed.output).trim(), pid.to_string());
    // And the next one was started after it.
    assert_eq!(in_ready(&place, "exit 8").ended.exit, Exit::Code(8));
    assert!(!is_there(pid));
}

/// A host that says which child waits and becomes cat(1).
#[expect(clippy::disallowed_methods, reason = "a host is no program under trial")]
fn become_another() {
    let place = Place::new();
    let mut output = std::io::stdout();
    writeln!(output, "{}", waiting()).unwrap();
    let error = std::process::Command::new("cat").exec();
    drop(place);
    panic!("{error}");
}

#[expect(clippy::disallowed_methods, reason = "a host is no program under trial")]
fn executes() {
    let mut host = std::process::Command::new(std::env::current_exe().unwrap())
        .arg(HOST)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(host.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    let pid: u32 = line.trim().parse().unwrap();
    // Nobody else can have its number meanwhile: the host, which is its parent, does not reap it.
    let state = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    while !state().contains(") Z ") {
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut input = host.stdin.take().unwrap();
    writeln!(input, "still there").unwrap();
    line.clear();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "still there\n");
    drop(input);
    assert!(host.wait().unwrap().success());
}

fn unseen() {
    let place = Place::new();
    let pid = waiting();
    let any = || waitpid(None, Some(WaitPidFlag::WNOHANG));
    assert_eq!(any(), Err(Errno::ECHILD));
    let mut command = place.command("read line");
    command.input = Input::Fed;
    let mut child = place.confinement.launch(command).unwrap();
    assert_eq!((child.id(), any()), (pid, Ok(WaitStatus::StillAlive)));
    child.close_input();
    assert_eq!(child.wait().unwrap().ended.exit, Exit::Code(1));
}

fn own_restrictions() {
    let place = Place::new();
    let launched = |restrict: bool| {
        let pid = waiting();
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                if restrict {
                    rustix::thread::set_no_new_privs(true).unwrap();
                }
                let child = place.confinement.launch(place.command("exit 7")).unwrap();
                let same = child.id() == pid;
                assert_eq!(child.wait().unwrap().ended.exit, Exit::Code(7));
                same
            });
            thread.join().unwrap()
        })
    };
    assert!(launched(false));
    assert!(!launched(true));
    assert!(launched(false));
}

fn many() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let place = &place;
            scope.spawn(move || {
                for turn in 0..10 {
                    let script = format!("echo {number} {turn}");
                    let child = place.confinement.launch(place.command(&script)).unwrap();
                    let completed = child.wait().unwrap();
                    assert_eq!(text(&completed.output), format!("{number} {turn}\n"));
                }
            });
        }
    });
    let last = waiting();
    drop(place);
    assert!(!is_there(last));
}
