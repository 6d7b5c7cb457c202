//! Find out which processes there are without listing any: a call that names a process answers otherwise
//! for one that is not there.

use super::decoy::bits;
use crate::raw;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

const TASKS: Escape = Escape {
    techniques: &["FM-PIDENUM"],
    references: &[
        "https://man7.org/linux/man-pages/man2/kill.2.html",
        "https://attack.mitre.org/techniques/T1057/",
        "CWE-203",
    ],
    decoys: &[&Tasks],
    stops: &[Layer::Seccomp, Layer::OtherNamespace],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/tasks",
        summary: "Find out who is alive by asking for schedulers",
        witnesses: &["seccomp/sched_getscheduler"],
        native: Some(|scene| spell(scene, |task| call(libc::SYS_sched_getscheduler, [task, 0, 0]))),
        python: Some(concat!(include_str!("tasks.py"), include_str!("tasks.spell.py"))),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.signal",
        summary: "Find out who is alive by signalling nothing",
        stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Hook],
        witnesses: &["seccomp/kill", "hook/os.kill"],
        native: Some(|scene| spell(scene, |task| call(libc::SYS_kill, [task, 0, 0]))),
        python: Some(concat!(include_str!("tasks.signal.py"), include_str!("tasks.spell.py"))),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.session",
        summary: "Find out who is alive by asking for sessions",
        witnesses: &["seccomp/getsid"],
        native: Some(|scene| spell(scene, |task| call(libc::SYS_getsid, [task, 0, 0]))),
        python: Some(concat!(include_str!("tasks.session.py"), include_str!("tasks.spell.py"))),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.group",
        summary: "Find out who is alive by asking for process groups",
        witnesses: &["seccomp/getpgid"],
        native: Some(|scene| spell(scene, |task| call(libc::SYS_getpgid, [task, 0, 0]))),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.priority",
        summary: "Find out who is alive by asking for priorities",
        witnesses: &["seccomp/getpriority"],
        native: Some(|scene| spell(scene, |task| call(libc::SYS_getpriority, [0, task, 0]))),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.io-priority",
        summary: "Find out who is alive by asking for priorities at the disk",
        witnesses: &["seccomp/ioprio_get"],
        native: Some(|scene| spell(scene, |task| call(libc::SYS_ioprio_get, [1, task, 0]))),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.affinity",
        summary: "Find out who is alive by asking for processors",
        witnesses: &["seccomp/sched_getaffinity"],
        native: Some(|scene| {
            spell(scene, |task| {
                let mut set = [0_u64; 128];
                let place = set.as_mut_ptr() as usize;
                call(libc::SYS_sched_getaffinity, [task, size_of_val(&set), place])
            })
        }),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.limits",
        summary: "Find out who is alive by asking for limits",
        witnesses: &["seccomp/prlimit64"],
        native: Some(|scene| {
            spell(scene, |task| call(libc::SYS_prlimit64, [task, libc::RLIMIT_CORE as usize, 0]))
        }),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.descriptor",
        summary: "Find out who is alive by asking for descriptors of processes",
        witnesses: &["seccomp/pidfd_open"],
        native: Some(|scene| {
            spell(scene, |task| {
                let held = raw::descriptor(libc::SYS_pidfd_open, [task, 0, 0, 0, 0, 0]);
                held.map(|_closed| ())
            })
        }),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.locks",
        summary: "Find out who is alive by asking for the list of locks that one leaves at its death",
        witnesses: &["seccomp/get_robust_list"],
        native: Some(|scene| {
            spell(scene, |task| {
                let (mut head, mut length) = (0_usize, 0_usize);
                let places = [task, &raw mut head as usize, &raw mut length as usize];
                call(libc::SYS_get_robust_list, places)
            })
        }),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.parameters",
        summary: "Find out who is alive by asking for scheduling parameters",
        witnesses: &["seccomp/sched_getparam"],
        native: Some(|scene| {
            spell(scene, |task| {
                let mut priority = 0_i32;
                call(libc::SYS_sched_getparam, [task, &raw mut priority as usize, 0])
            })
        }),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.attributes",
        summary: "Find out who is alive by asking for scheduling attributes",
        witnesses: &["seccomp/sched_getattr"],
        native: Some(|scene| {
            spell(scene, |task| {
                let mut attributes = [0_u8; 48];
                let place = attributes.as_mut_ptr() as usize;
                call(libc::SYS_sched_getattr, [task, place, size_of_val(&attributes)])
            })
        }),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.interval",
        summary: "Find out who is alive by asking how long one runs in its turn",
        witnesses: &["seccomp/sched_rr_get_interval"],
        native: Some(|scene| {
            spell(scene, |task| {
                let mut interval = [0_u64; 2];
                let place = interval.as_mut_ptr() as usize;
                call(libc::SYS_sched_rr_get_interval, [task, place, 0])
            })
        }),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.capabilities",
        summary: "Find out who is alive by asking for capabilities",
        references: &[
            "https://man7.org/linux/man-pages/man2/capget.2.html",
            "https://attack.mitre.org/techniques/T1057/",
            "CWE-203",
        ],
        witnesses: &["seccomp/capget"],
        native: Some(|scene| {
            spell(scene, |task| {
                // Version 3 of the header, and whom it asks for: in memory, where no filter looks.
                let header = [0x2008_0522, u32::try_from(task).map_err(io::Error::other)?];
                let mut sets = [0_u32; 6];
                let places = [header.as_ptr() as usize, sets.as_mut_ptr() as usize, 0];
                call(libc::SYS_capget, places)
            })
        }),
        ..TASKS
    },
    Escape {
        id: "metadata/tasks.owner",
        summary: "Find out who is alive by trying own locks whose words name their owners",
        references: &[
            "https://man7.org/linux/man-pages/man2/FUTEX_TRYLOCK_PI.2const.html",
            "https://attack.mitre.org/techniques/T1057/",
            "CWE-203",
        ],
        witnesses: &["seccomp/futex"],
        native: Some(|scene| {
            spell(scene, |task| {
                // No register names the owner, so no filter sees who is asked for.
                let owned = u32::try_from(task).map_err(io::Error::other)?;
                let operation = libc::FUTEX_TRYLOCK_PI | libc::FUTEX_PRIVATE_FLAG;
                call(libc::SYS_futex, [&raw const owned as usize, operation as usize, 0])
            })
        }),
        ..TASKS
    },
];

fn call(number: i64, [first, second, third]: [usize; 3]) -> io::Result<()> {
    raw::call(number, [first, second, third, 0, 0, 0]).map(|_answer| ())
}

/// Spells the token: a task that is not there is a zero. Who gets one answer for all has learnt nothing.
fn spell(scene: &Scene, ask: impl Fn(usize) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let mut digits = String::new();
    let mut refusal = None;
    let (mut digit, mut alive) = (0_u32, 0);
    let tasks: Vec<&str> = scene.text("tasks")?.split(',').collect();
    for (number, task) in tasks.iter().enumerate() {
        let task = task.parse().map_err(|_error| io::ErrorKind::InvalidData)?;
        let answer = ask(task);
        let there = !matches!(&answer, Err(error) if error.raw_os_error() == Some(libc::ESRCH));
        refusal = answer.err().filter(|_| there).or(refusal);
        alive += usize::from(there);
        digit = digit << 1 | u32::from(there);
        if number % 4 == 3 {
            digits.extend(char::from_digit(digit, 16));
            digit = 0;
        }
    }
    match refusal {
        Some(refusal) if alive == tasks.len() => Err(refusal),
        None if alive == 0 => Err(io::Error::from_raw_os_error(libc::ESRCH)),
        Some(_) | None => Ok(digits.into_bytes()),
    }
}

/// Clue `tasks`: identifiers of threads outside, of which those live that stand for a one of the token.
/// A thread has a number of the same kind as a process and is asked for by the same calls.
#[derive(Debug)]
struct Tasks;

impl Decoy for Tasks {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let mut placed = Crowd { numbers: Vec::new(), living: Vec::new() };
        let mut ended = Vec::new();
        for bit in bits(site.token) {
            let (number, told) = channel();
            let (life, end) = channel::<()>();
            let small = thread::Builder::new().stack_size(1 << 16);
            let thread = small.spawn(move || {
                let _told = number.send(nix::unistd::gettid().as_raw());
                let _until_the_end = end.recv();
            })?;
            let number = told.recv().map_err(io::Error::other)?;
            placed.numbers.push(number.to_string());
            if bit {
                placed.living.push((life, thread));
            } else {
                drop(life);
                let _without_panic = thread.join();
                ended.push(format!("/proc/self/task/{number}"));
            }
        }
        // A thread that was joined has its number for a moment longer.
        while ended.iter().any(|task| Path::new(task).exists()) {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(Box::new(placed))
    }
}

#[derive(Debug)]
struct Crowd {
    numbers: Vec<String>,
    living: Vec<(Sender<()>, JoinHandle<()>)>,
}

impl Placed for Crowd {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("tasks", self.numbers.join(",").into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        for (life, thread) in self.living.drain(..) {
            drop(life);
            let _without_panic = thread.join();
        }
        Vec::new()
    }
}
