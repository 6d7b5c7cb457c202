//! Ask a descriptor of a process outside how it ended: a pidfd tells what only the parent is told else.

#[cfg(target_os = "linux")]
use crate::raw;
use fixtures::decoy::{Decoy, Evidence, Placed, Program, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};
#[cfg(target_os = "linux")]
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::{Child, Command, Stdio};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "metadata/process-end",
    summary: "Learn from descriptors of processes outside with which codes they ended",
    techniques: &["FM-PIDFDINFO"],
    references: &[
        "https://man7.org/linux/man-pages/man2/pidfd_open.2.html",
        "https://git.kernel.org/torvalds/c/7477d7dce48a996ae4e4f0b5f7bd82de7ec9131b",
        "CWE-203",
    ],
    decoys: &[&Leavers],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &["seccomp/ioctl", "seccomp/pidfd_open", "hook/fcntl.ioctl"],
    // Kernels before 6.15 do not tell it.
    absent: &[libc::ENOSYS, libc::ENOTTY, libc::EINVAL],
    twin: Twin::OwnProcess,
    native: Some(ends),
    python: PYTHON,
    ..Escape::BLANK
}];

#[cfg(target_os = "linux")]
const PYTHON: Option<&str> = Some(include_str!("process_end.py"));
#[cfg(target_os = "macos")]
const PYTHON: Option<&str> = None;

/// What asks the processes outside to end.
const CLAIM: &str = "opened";

#[cfg(target_os = "linux")]
fn ends(scene: &Scene) -> io::Result<Vec<u8>> {
    /// `PIDFD_GET_INFO`, `linux/pidfd.h`, for the first 64 bytes of the answer.
    const GET_INFO: usize = 0xc040_ff0b;
    /// `PIDFD_INFO_EXIT`.
    const EXIT: u64 = 1 << 3;
    let open = |process: &str| -> io::Result<OwnedFd> {
        let process = process.parse().map_err(|_error| io::ErrorKind::InvalidData)?;
        raw::descriptor(libc::SYS_pidfd_open, [process, 0, 0, 0, 0, 0])
    };
    let opened: io::Result<Vec<OwnedFd>> = scene.text("leavers")?.split(',').map(open).collect();
    let opened = opened?;
    scene.show(CLAIM)?;
    let mut codes = String::new();
    for process in opened {
        let mut info = [EXIT, 0, 0, 0, 0, 0, 0, 0];
        let place = info.as_mut_ptr() as usize;
        raw::call(libc::SYS_ioctl, [process.as_raw_fd() as usize, GET_INFO, place, 0, 0, 0])?;
        // The last four bytes are the status as wait(2) has it, the code in its second byte.
        let [.., last] = info;
        let [.., code, _signal] = (last >> 32).to_be_bytes();
        let _infallible = write!(codes, "{code:02x}");
    }
    Ok(codes.into_bytes())
}

/// The kernel tells the code to whoever may signal the process, kqueue(2).
#[cfg(target_os = "macos")]
fn ends(scene: &Scene) -> io::Result<Vec<u8>> {
    use nix::sys::event::{EvFlags, EventFilter, FilterFlag, KEvent, Kqueue};
    let queue = Kqueue::new()?;
    let what = FilterFlag::NOTE_EXIT | FilterFlag::NOTE_EXITSTATUS;
    let event = |number| {
        let flags = EvFlags::EV_ADD | EvFlags::EV_ONESHOT;
        KEvent::new(number, EventFilter::EVFILT_PROC, flags, what, 0, 0)
    };
    let mut processes = Vec::new();
    for process in scene.text("leavers")?.split(',') {
        let number = process.parse().map_err(|_error| io::ErrorKind::InvalidData)?;
        queue.kevent(&[event(number)], &mut [], None)?;
        processes.push(number);
    }
    scene.show(CLAIM)?;
    let mut ended = std::collections::BTreeMap::new();
    while ended.len() < processes.len() {
        let mut events = [event(0)];
        if queue.kevent(&[], &mut events, None)? == 1 {
            let [end] = events;
            // The status as wait(2) has it, the code in its second byte.
            ended.insert(end.ident(), end.data() >> 8 & 0xff);
        }
    }
    let mut codes = String::new();
    for process in processes {
        let _infallible = write!(codes, "{:02x}", ended.get(&process).copied().unwrap_or_default());
    }
    Ok(codes.into_bytes())
}

/// Processes that end when the program claims to have `opened` them, each with a byte of the token as its
/// code. Clue: `leavers`, their pids.
#[derive(Debug)]
struct Leavers;

impl Decoy for Leavers {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let mut waiting = Waiting { leavers: Vec::new() };
        for start in (0..site.token.len()).step_by(2) {
            let byte = site.token.get(start..start + 2).unwrap_or_default();
            let code = u8::from_str_radix(byte, 16).map_err(io::Error::other)?;
            waiting.leavers.push((start_one()?, code));
        }
        Ok(Box::new(waiting))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "it is a process outside, not the program under trial"
)]
fn start_one() -> io::Result<Child> {
    Command::new("/bin/sh")
        .args(["-c", "read -r code && exit \"$code\""])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
}

#[derive(Debug)]
struct Waiting {
    leavers: Vec<(Child, u8)>,
}

impl Placed for Waiting {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        let pids: Vec<String> =
            self.leavers.iter().map(|(leaver, _)| leaver.id().to_string()).collect();
        vec![("leavers", pids.join(",").into())]
    }

    fn look(&mut self, _program: &Program<'_>, claim: &str) -> Vec<Evidence> {
        if claim == CLAIM {
            for (leaver, code) in &mut self.leavers {
                if let Some(mut input) = leaver.stdin.take() {
                    let _told = writeln!(input, "{code}");
                }
                let _ended = leaver.wait();
            }
        }
        Vec::new()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        for (leaver, _) in &mut self.leavers {
            let _already_ended = leaver.kill();
            let _already_reaped = leaver.wait();
        }
        Vec::new()
    }
}
