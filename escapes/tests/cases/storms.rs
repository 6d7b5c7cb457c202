//! Signals that hit a program between its filter and its start: it must run whole or not at all, and
//! its launcher must come back.

use super::{ESCAPOLOGY, command};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

/// Launches at most, and signals after which it is enough.
const LAUNCHES: usize = 60;
const ENOUGH: usize = 40;

/// Launches a program that exits with 7 again and again, with `signals` for every child that is seen
/// meanwhile, and returns the codes that were seen and the number of children that were hit.
fn storm(signals: &[Signal]) -> (Vec<i32>, usize) {
    let (mut codes, mut hits) = (Vec::new(), 0);
    while codes.len() < LAUNCHES && hits < ENOUGH {
        let mut launcher = command(ESCAPOLOGY)
            .args(["run", "--timeout", "30", "--", "/bin/sh", "-c", "exit 7"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let children = format!("/proc/{0}/task/{0}/children", launcher.id());
        let status = loop {
            for child in fs::read_to_string(&children).unwrap_or_default().split_whitespace() {
                let child = Pid::from_raw(child.parse().unwrap());
                let hit = signals.iter().all(|signal| kill(child, *signal).is_ok());
                hits += usize::from(hit);
            }
            if let Some(status) = launcher.try_wait().unwrap() {
                break status;
            }
        };
        codes.push(status.code().unwrap_or_else(|| 128 + status.signal().unwrap()));
    }
    (codes, hits)
}

#[test]
fn a_launch_that_is_stopped_and_continued_runs_its_program() {
    let (codes, hits) = storm(&[Signal::SIGSTOP, Signal::SIGCONT]);
    assert!(codes.iter().all(|code| *code == 7), "{codes:?}");
    assert!(hits > 0, "no child was ever hit");
}

#[test]
fn a_launch_that_is_killed_ends_and_says_so() {
    let (codes, hits) = storm(&[Signal::SIGKILL]);
    assert!(codes.iter().all(|code| [7, 125, 137].contains(code)), "{codes:?}");
    assert!(codes.iter().any(|code| *code != 7), "no kill came in time: {codes:?}");
    assert!(hits > 0, "no child was ever hit");
}
