//! The life of sessions seen from outside their hosts, which are processes of their own: this binary, told to
//! be one. SL-SUPERVISORDEATH, SL-SWEEPLIVE, C91, C101, C102.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

mod storm;

use backends::executor::Program;
use backends::session::Session;
use libtest_mimic::{Arguments, Failed, Trial};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use storm::{Shared, start, started, storm};

fn main() {
    if storm::is_host() {
        return;
    }
    let trial = |name: &str, test: fn(&Path)| {
        Trial::test(name, move || {
            let folder = tempfile::tempdir().map_err(Failed::from)?;
            test(&folder.path().canonicalize().map_err(Failed::from)?.join(storm::base_name()));
            Ok(())
        })
    };
    let trials = vec![
        trial("a_killed_host_leaves_no_program_and_the_next_session_sweeps_its_root_alone", killed),
        trial("a_signal_that_ends_a_host_releases_its_sessions_first", signalled),
        trial("sessions_of_several_processes_lose_nothing_and_leave_nothing", several),
        trial("many_runs_of_one_session_add_no_descriptor_memory_or_directory", many_runs),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn roots(base: &Path) -> Vec<PathBuf> {
    fs::read_dir(base).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn killed(base: &Path) {
    let shared = Shared::now();
    let live = Session::builder().base(base).build();
    live.run(&Program::python("")).unwrap();
    let own = roots(base);
    let host = start("wait", &[base.to_str().unwrap()]);
    let (root, program) = started(base, host.id());
    // While the host lives, so do its root and its program, whoever makes a session.
    Session::builder().base(base).build().run(&Program::python("")).unwrap();
    assert!(root.exists() && Path::new(&format!("/proc/{program}")).exists());
    storm::kill(host);
    until_ended(program);
    assert!(root.exists());
    Session::builder().base(base).build().run(&Program::python("")).unwrap();
    assert_eq!(roots(base), own);
    assert!(live.run(&Program::python("open('own', 'w')")).unwrap().outcome().is_success());
    drop(live);
    assert_eq!(roots(base), [""; 0].map(PathBuf::from));
    assert_eq!(shared.since(), [""; 0]);
    outlives(base);
}

/// The control: the program of a naive host outlives it.
fn outlives(base: &Path) {
    let host = start("naive", &[base.to_str().unwrap()]);
    let program: i32 = loop {
        match fs::read_to_string(base.with_extension("program")) {
            Ok(pid) => break pid.parse().unwrap(),
            Err(_not_yet) => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    };
    storm::kill(host);
    // The kernel signals who is to die with its parent before that can be reaped (`forget_original_parent`).
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(!fs::read_to_string(format!("/proc/{program}/stat")).unwrap().contains(") Z "));
    kill(Pid::from_raw(program), Signal::SIGKILL).unwrap();
}

fn signalled(base: &Path) {
    for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP, Signal::SIGQUIT] {
        let mut host = start("wait-for-signals", &[base.to_str().unwrap()]);
        let (root, program) = started(base, host.id());
        assert!(root.exists());
        kill(Pid::from_raw(host.id().cast_signed()), signal).unwrap();
        let status = host.wait().unwrap();
        assert_eq!(status.signal(), Some(signal as i32));
        assert!(!root.exists());
        until_ended(program);
    }
    // A host that asked for nothing leaves its root to the next session: the control.
    let mut host = start("wait", &[base.to_str().unwrap()]);
    let (root, program) = started(base, host.id());
    kill(Pid::from_raw(host.id().cast_signed()), Signal::SIGTERM).unwrap();
    assert_eq!(host.wait().unwrap().signal(), Some(Signal::SIGTERM as i32));
    until_ended(program);
    assert!(root.exists());
}

fn several(base: &Path) {
    storm(base, 3, 8, 4);
}

fn many_runs(base: &Path) {
    let mut host = start("grow", &[base.to_str().unwrap(), "150"]);
    assert!(host.wait().unwrap().success());
    // The base directory that nobody named is gone with its last session.
    assert!(!base.exists());
}

/// Waits until a process has ended.
fn until_ended(pid: u32) {
    while fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z ")) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
