//! Find out which processes there are: the macOS form of `metadata/tasks`. A thread is no process here,
//! so those that live or have ended are processes.

use crate::raw_macos::process_table;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use std::ffi::OsString;
use std::io;
use std::process::{Child, Command, Stdio};

const TASKS: Escape = Escape {
    techniques: &["FM-PIDENUM"],
    references: &["https://attack.mitre.org/techniques/T1057/", "CWE-203"],
    decoys: &[&Tasks],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/process-info*"],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/tasks",
        summary: "List all processes by a variable of the kernel",
        witnesses: &["seatbelt/default"],
        native: Some(|scene| {
            let table = process_table()?;
            spell(scene, |task| Ok(table.contains(&task)))
        }),
        ..TASKS
    },
    Escape {
        id: "macos/tasks.signal",
        summary: "Find out who is alive by signalling nothing",
        native: Some(|scene| {
            spell(scene, |task| match kill(Pid::from_raw(task), None) {
                Ok(()) => Ok(true),
                Err(nix::errno::Errno::ESRCH) => Ok(false),
                Err(errno) => Err(errno.into()),
            })
        }),
        ..TASKS
    },
];

/// Spells the token: a process that is not there is a zero.
fn spell(scene: &Scene, lives: impl Fn(i32) -> io::Result<bool>) -> io::Result<Vec<u8>> {
    let mut digits = String::new();
    let mut digit = 0_u32;
    for (number, task) in scene.text("tasks")?.split(',').enumerate() {
        let task = task.parse().map_err(|_error| io::ErrorKind::InvalidData)?;
        digit = digit << 1 | u32::from(lives(task)?);
        if number % 4 == 3 {
            digits.extend(char::from_digit(digit, 16));
            digit = 0;
        }
    }
    Ok(digits.into_bytes())
}

/// Clue `tasks`: the numbers of processes outside, of which those live that stand for a one of the token.
#[derive(Debug)]
struct Tasks;

impl Decoy for Tasks {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let mut crowd = Crowd { numbers: Vec::new(), living: Vec::new() };
        let digits = site.token.chars().filter_map(|digit| digit.to_digit(16));
        for bit in digits.flat_map(|digit| [8, 4, 2, 1].map(|bit| digit & bit != 0)) {
            let mut process = start()?;
            crowd.numbers.push(process.id().to_string());
            if bit {
                crowd.living.push(process);
            } else {
                process.kill()?;
                process.wait()?;
            }
        }
        Ok(Box::new(crowd))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "it is a process outside, not the program under trial"
)]
fn start() -> io::Result<Child> {
    Command::new("/bin/sleep").arg("600").stdin(Stdio::null()).stdout(Stdio::null()).spawn()
}

#[derive(Debug)]
struct Crowd {
    numbers: Vec<String>,
    living: Vec<Child>,
}

impl Drop for Crowd {
    fn drop(&mut self) {
        for process in &mut self.living {
            let _already_ended = process.kill();
            let _already_reaped = process.wait();
        }
    }
}

impl Placed for Crowd {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("tasks", self.numbers.join(",").into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        let failed = self.living.iter_mut().filter_map(|process| {
            let ended = process.kill().and_then(|()| process.wait());
            ended.err().map(|error| format!("a process outside: {error}"))
        });
        let findings = failed.collect();
        self.living.clear();
        findings
    }
}
