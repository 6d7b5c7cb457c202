//! A process that outlives the run plants when nobody watches any more. It knows the end of the
//! program by the end of a pipe.

use crate::fs_write::effect::done;
use crate::raw;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use nix::sys::wait::waitpid;
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, setsid};
use std::io::{self, PipeReader, Read};
use std::time::Duration;
use std::{fs, thread};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "plant/survivor",
    summary: "Leave a process behind that plants a file when the program is dead",
    techniques: &["FW-EVIDENCE"],
    references: &[
        "https://arxiv.org/html/2511.21654v1",
        "https://man7.org/linux/man-pages/man7/daemon.7.html",
    ],
    // Under Landlock the process plants nothing, but it outlives the program all the same.
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &["seccomp/clone", "hook/os.*"],
    native: Some(leave),
    python: Some(include_str!("survivor.py")),
    ..Escape::BLANK
}];

fn leave(scene: &Scene) -> io::Result<Vec<u8>> {
    let (end, held) = io::pipe()?;
    let child = raw::fork()?;
    if child != 0 {
        waitpid(Pid::from_raw(child), None)?;
        // The program holds the pipe until it dies.
        std::mem::forget(held);
        return done(io::Result::Ok(()));
    }
    drop(held);
    // The second fork makes an orphan, which nobody waits for.
    if matches!(raw::fork(), Ok(0)) {
        let _as_in_a_daemon = setsid();
        let _the_end_tells_the_rest = survive(scene, end);
    }
    raw::leave(0)
}

fn survive(scene: &Scene, mut end: PipeReader) -> io::Result<()> {
    // As a daemon it keeps none of the program's streams.
    dup2_stdin(&end)?;
    dup2_stdout(&end)?;
    dup2_stderr(&end)?;
    end.read_to_end(&mut Vec::new())?;
    let planted = fs::write(scene.path("deliverables")?.join("planted"), b"planted after the end");
    // Whoever looks for survivors shall find it, planted or not.
    thread::sleep(Duration::from_secs(1));
    planted
}
