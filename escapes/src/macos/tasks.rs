//! Find out which processes there are: the macOS form of `metadata/tasks`. A thread is no process here,
//! so those that live or have ended are processes.

use crate::raw_macos::host::{code_state, process_state};
use crate::raw_macos::process_table;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Bar, Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::errno::Errno;
use nix::sys::event::{EvFlags, EventFilter, FilterFlag, KEvent, Kqueue};
use nix::sys::signal::kill;
use nix::unistd::{Pid, getpgid, getsid};
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
        // What `stat` is to files: a profile cannot tell it from what a program asks of itself.
        bar: Bar::Residue,
        stops: &[],
        witnesses: &[],
        native: Some(|scene| {
            // That it may not be signalled tells that it is there.
            spell(scene, |task| lives(kill(Pid::from_raw(task), None)))
        }),
        ..TASKS
    },
    Escape {
        id: "macos/tasks.group",
        summary: "Find out who is alive by asking for process groups",
        bar: Bar::Residue,
        stops: &[],
        witnesses: &[],
        native: Some(|scene| spell(scene, |task| lives(getpgid(Some(Pid::from_raw(task)))))),
        ..TASKS
    },
    Escape {
        id: "macos/tasks.session",
        summary: "Find out who is alive by asking for sessions",
        bar: Bar::Residue,
        stops: &[],
        witnesses: &[],
        native: Some(|scene| spell(scene, |task| lives(getsid(Some(Pid::from_raw(task)))))),
        ..TASKS
    },
    Escape {
        id: "macos/tasks.priority",
        summary: "Find out who is alive by asking for priorities",
        bar: Bar::Residue,
        stops: &[],
        witnesses: &[],
        native: Some(|scene| {
            spell(scene, |task| {
                let asked =
                    rustix::process::getpriority_process(rustix::process::Pid::from_raw(task));
                lives(asked.map_err(|errno| Errno::from_raw(errno.raw_os_error())))
            })
        }),
        ..TASKS
    },
    Escape {
        id: "macos/tasks.information",
        summary: "Find out who is alive by asking for information about each",
        bar: Bar::Residue,
        stops: &[],
        witnesses: &[],
        native: Some(|scene| spell(scene, |task| lives(errno(process_state(task))))),
        ..TASKS
    },
    Escape {
        id: "macos/tasks.code",
        summary: "Find out who is alive by asking whether the code of each is signed",
        bar: Bar::Residue,
        stops: &[],
        witnesses: &[],
        native: Some(|scene| spell(scene, |task| lives(errno(code_state(task))))),
        ..TASKS
    },
    Escape {
        id: "macos/tasks.watch",
        summary: "Find out who is alive by waiting for the end of each",
        bar: Bar::Residue,
        stops: &[],
        witnesses: &[],
        native: Some(|scene| {
            let queue = Kqueue::new()?;
            spell(scene, |task| {
                let number = usize::try_from(task).map_err(io::Error::other)?;
                let (kind, flags) = (EventFilter::EVFILT_PROC, EvFlags::EV_ADD);
                let end = KEvent::new(number, kind, flags, FilterFlag::NOTE_EXIT, 0, 0);
                lives(queue.kevent(&[end], &mut [], None))
            })
        }),
        ..TASKS
    },
];

fn errno<T>(result: io::Result<T>) -> nix::Result<T> {
    result.map_err(|error| Errno::from_raw(error.raw_os_error().unwrap_or_default()))
}

/// Whether a process is there: whatever the answer to a question about it, it is not that there is none.
fn lives<T>(asked: nix::Result<T>) -> io::Result<bool> {
    Ok(!matches!(asked, Err(Errno::ESRCH)))
}

/// Spells the token: a process that is not there is a zero.
fn spell(scene: &Scene, there: impl Fn(i32) -> io::Result<bool>) -> io::Result<Vec<u8>> {
    let mut digits = String::new();
    let mut digit = 0_u32;
    for (number, task) in scene.text("tasks")?.split(',').enumerate() {
        let task = task.parse().map_err(|_error| io::ErrorKind::InvalidData)?;
        digit = digit << 1 | u32::from(there(task)?);
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
