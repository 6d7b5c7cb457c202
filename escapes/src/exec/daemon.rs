//! Outlive the session: a process that left the group and the parent by which it would be ended.

use super::marker;
use crate::raw;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::unistd::{Pid, close, setpgid, setsid};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::mem::forget;
use std::time::Duration;

const OUTLIVE: Escape = Escape {
    references: &[
        "https://man7.org/linux/man-pages/man3/daemon.3.html",
        "https://github.com/windmill-labs/windmill/issues/2403",
        "https://github.com/multikernel/sandlock/issues/251",
    ],
    decoys: &[MARKER],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt],
    silent: Some("a namespace of processes may end with the program"),
    twin: Twin::Thread,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/daemon",
        summary: "Leave a daemon behind: twice forked, in a session of its own, with nothing open",
        // What is born later has not the death signal that its parent was given.
        techniques: &["EX-DAEMON", "EX-PDEATHSIG"],
        stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/clone", "seccomp/setsid", "hook/os.*"],
        native: Some(|scene| {
            outlive(scene, || {
                setsid()?;
                if raw::fork()? != 0 {
                    raw::leave(0);
                }
                Ok(())
            })
        }),
        python: Some(concat!(include_str!("marker.py"), include_str!("daemon.py"))),
        ..OUTLIVE
    },
    Escape {
        id: "exec/daemon.session",
        summary: "Leave a process behind in a session of its own, so that no signal to a group ends it",
        techniques: &["EX-SETSIDKILL"],
        references: &["https://github.com/multikernel/sandlock/issues/252"],
        witnesses: &["seccomp/clone", "seccomp/setsid"],
        native: Some(|scene| outlive(scene, || Ok(setsid().map(|_session| ())?))),
        ..OUTLIVE
    },
    Escape {
        id: "exec/daemon.group",
        summary: "Leave a process behind in a group of its own",
        techniques: &["EX-SETSIDKILL"],
        references: &["https://github.com/multikernel/sandlock/issues/252"],
        witnesses: &["seccomp/clone", "seccomp/setpgid"],
        native: Some(|scene| outlive(scene, || Ok(setpgid(Pid::from_raw(0), Pid::from_raw(0))?))),
        ..OUTLIVE
    },
];

/// Starts a process that gets out of reach by `get_away`, tells whether it did, and shows itself when
/// this program has ended, which it learns by the end of a pipe.
fn outlive(scene: &Scene, get_away: impl FnOnce() -> io::Result<()>) -> io::Result<Vec<u8>> {
    let (program, alive) = io::pipe()?;
    let (mut report, reporter) = io::pipe()?;
    if raw::fork()? == 0 {
        drop(alive);
        raw::leave(marker::code(get_away().and_then(|()| haunt(scene, program, reporter))));
    }
    // Open until this program ends.
    forget(alive);
    drop(reporter);
    match report.read(&mut [0])? {
        0 => Err(io::Error::from_raw_os_error(libc::EPERM)),
        _ => Ok(Vec::new()),
    }
}

fn haunt(scene: &Scene, mut program: PipeReader, mut reporter: PipeWriter) -> io::Result<()> {
    for standard in 0..3 {
        close(standard)?;
    }
    reporter.write_all(b"x")?;
    drop(reporter);
    program.read_to_end(&mut Vec::new())?;
    // Whoever ends with the program is given the moment that this takes.
    std::thread::sleep(Duration::from_millis(50));
    marker::live(scene)
}
