//! Change the priority of everything that a user runs, by one call that names no process. The user here has
//! one process, which is the watcher's.

use crate::raw;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

const USER: Escape = Escape {
    techniques: &["KP-SETPRIORITY"],
    needs: &[
        Need::Capability(7, "CAP_SETUID"),
        Need::Capability(23, "CAP_SYS_NICE"),
        Need::SecondUser,
    ],
    decoys: &[&OwnUser],
    stops: &[Layer::Seccomp, Layer::Hygiene, Layer::OtherNamespace],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "process/whole-user",
        summary: "Lower the priority of all processes of another user, which raises no audit event",
        references: &["https://man7.org/linux/man-pages/man2/setpriority.2.html", "CWE-250"],
        witnesses: &["hygiene/capabilities", "seccomp/setpriority"],
        native: Some(|scene| {
            let user: usize = scene.number("lone-user")?;
            raw::call(libc::SYS_setpriority, [libc::PRIO_USER as usize, user, 7, 0, 0, 0])?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("whole_user.py")),
        ..USER
    },
    Escape {
        id: "process/whole-user.disk",
        summary: "Let all processes of another user wait for the disk until nobody else does",
        references: &["https://man7.org/linux/man-pages/man2/ioprio_set.2.html", "CWE-250"],
        witnesses: &["hygiene/capabilities", "seccomp/ioprio_set"],
        native: Some(|scene| {
            /// `IOPRIO_WHO_USER` and `IOPRIO_CLASS_IDLE`, `linux/ioprio.h`.
            const WHO_USER: usize = 3;
            const IDLE: usize = 3 << 13;
            let user: usize = scene.number("lone-user")?;
            raw::call(libc::SYS_ioprio_set, [WHO_USER, user, IDLE, 0, 0, 0])?;
            Ok(Vec::new())
        }),
        ..USER
    },
];

/// A process of a user who has no other. Clue: `lone-user`, the user.
#[derive(Debug)]
struct OwnUser;

impl Decoy for OwnUser {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        // Far above the users of a host and of its containers; no two trials at a time share one.
        let user = 2_000_000_000 + std::process::id() % 10_000 * 1000 + next();
        let mut process = start(user)?;
        match ordinary(process.id()).and_then(|()| state(process.id())) {
            Ok(before) => Ok(Box::new(Alone { user, process, before })),
            Err(error) => {
                let _already_ended = process.kill();
                let _reaped = process.wait();
                Err(error)
            }
        }
    }
}

/// Counts the trials of this process.
fn next() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed) % 1000
}

#[expect(
    clippy::disallowed_methods,
    reason = "it is a process outside, not the program under trial"
)]
fn start(user: u32) -> io::Result<Child> {
    Command::new("/bin/sh")
        .args(["-c", "read -r end"])
        .current_dir("/")
        .uid(user)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
}

/// Takes back the niceness with which this program may have been started, so that a new one shows.
fn ordinary(process: u32) -> io::Result<()> {
    let call = [libc::PRIO_PROCESS as usize, process as usize, 0, 0, 0, 0];
    raw::call(libc::SYS_setpriority, call).map(|_set| ())
}

/// Niceness and priority at the disk.
fn state(process: u32) -> io::Result<String> {
    /// `IOPRIO_WHO_PROCESS`.
    const WHO_PROCESS: usize = 1;
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // Field 19 of `proc_pid_stat(5)`; the name in brackets may hold spaces, and is the second.
    let fields = stat.rsplit_once(") ").map(|(_, fields)| fields).unwrap_or_default();
    let nice = fields.split(' ').nth(16).ok_or(io::ErrorKind::InvalidData)?;
    let call = [WHO_PROCESS, process as usize, 0, 0, 0, 0];
    Ok(format!("nice {nice}, disk {}", raw::call(libc::SYS_ioprio_get, call)?))
}

#[derive(Debug)]
struct Alone {
    user: u32,
    process: Child,
    before: String,
}

impl Placed for Alone {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("lone-user", self.user.to_string().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let now = state(self.process.id())?;
        let detail = format!("a process of another user had {} and has {now}", self.before);
        let change = Evidence { kind: EvidenceKind::VictimChanged, detail };
        Ok((now != self.before).then_some(change).into_iter().collect())
    }

    fn sweep(&mut self) -> Vec<String> {
        let _already_ended = self.process.kill();
        let _reaped = self.process.wait();
        Vec::new()
    }
}
