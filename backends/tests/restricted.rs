//! Hosts that deny themselves something after a child was made ready for them: the child is without it, so it must not
//! be used, and it must be possible to be rid of it.
//!
//! Each test runs in a process of its own, for what it denies itself cannot be given back.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

mod waiting;

use landlock::{AccessFs, Ruleset, RulesetAttr};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use seccompiler::{SeccompAction, SeccompFilter};
use std::fs;
use std::path::Path;
use waiting::{Place, waiting};

/// What a script says, and whether it ran in the child that waited.
fn run(place: &Place, script: &str) -> (String, bool) {
    let waiting = waiting();
    let child = place.confinement.launch(place.command(script)).unwrap();
    let same = child.id() == waiting;
    (String::from_utf8(child.wait().unwrap().output).unwrap(), same)
}

/// A filter that denies this thread one call, by `EPERM`.
fn deny(call: i64) {
    let denied = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter =
        SeccompFilter::new([(call, vec![])].into(), SeccompAction::Allow, denied, arch).unwrap();
    let program: seccompiler::BpfProgram = filter.try_into().unwrap();
    seccompiler::apply_filter(&program).unwrap();
}

/// Does a test in a process of its own.
#[expect(clippy::disallowed_methods, reason = "this test again")]
fn alone(name: &str, test: fn()) {
    const INSIDE: &str = "ESCAPOLOGY_TEST_INSIDE";
    if std::env::var_os(INSIDE).is_some() {
        return test();
    }
    let again = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(INSIDE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success(), "{said}{}", String::from_utf8_lossy(&again.stderr));
    assert!(said.contains("1 passed"), "{said}");
}

#[test]
fn a_thread_that_entered_a_landlock_domain_since_does_not_get_a_child_without_it() {
    let name = "a_thread_that_entered_a_landlock_domain_since_does_not_get_a_child_without_it";
    alone(name, || {
        // As a service manager sets it for all of a host.
        rustix::thread::set_no_new_privs(true).unwrap();
        let place = Place::new();
        let script = "echo > new && echo made";
        assert_eq!(run(&place, script), ("made\n".to_owned(), true));
        fs::remove_file(place.folder.path().join("run/new")).unwrap();
        let ruleset = Ruleset::default().handle_access(AccessFs::MakeReg).unwrap();
        ruleset.create().unwrap().restrict_self().unwrap();
        assert!(fs::write(place.folder.path().join("run/new"), "").is_err());
        assert_eq!(run(&place, script), (String::new(), false));
    });
}

#[test]
fn a_thread_that_added_a_filter_since_does_not_get_a_child_without_it() {
    alone("a_thread_that_added_a_filter_since_does_not_get_a_child_without_it", || {
        // As many containers do to all that is in them.
        deny(libc::SYS_acct);
        let place = Place::new();
        let script = "kill -0 $$ && echo told";
        assert_eq!(run(&place, script), ("told\n".to_owned(), true));
        deny(libc::SYS_kill);
        assert_eq!(run(&place, script), (String::new(), false));
    });
}

#[test]
fn a_child_that_its_host_may_not_kill_any_more_ends_with_its_confinement() {
    alone("a_child_that_its_host_may_not_kill_any_more_ends_with_its_confinement", || {
        let place = Place::new();
        let child = Pid::from_raw(waiting().cast_signed()).unwrap();
        let pidfd = pidfd_open(child, PidfdFlags::empty()).unwrap();
        deny(libc::SYS_pidfd_send_signal);
        assert_eq!(pidfd_send_signal(&pidfd, Signal::KILL), Err(rustix::io::Errno::PERM));
        drop(place);
        assert!(!Path::new(&format!("/proc/{child}")).exists());
    });
}
