//! Hang up a terminal: whoever has it open loses it, as a call for the administration of logins.

use crate::raw;
use fixtures::watch::terminal::INHERITED_TERMINAL;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::signal::{SigSet, Signal};
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "kernel/hang-up",
    summary: "Hang up a terminal, left open, for everybody who has it",
    techniques: &["KP-MODULES"],
    references: &["https://man7.org/linux/man-pages/man2/vhangup.2.html", "CWE-250"],
    needs: &[Need::Capability(26, "CAP_SYS_TTY_CONFIG")],
    decoys: &[INHERITED_TERMINAL],
    stops: &[Layer::Seccomp, Layer::Hygiene],
    witnesses: &[
        "hygiene/capabilities",
        "hygiene/close-descriptors",
        "seccomp/ioctl",
        "seccomp/vhangup",
    ],
    twin: Twin::OwnFile,
    native: Some(hang_up),
    ..Escape::BLANK
}];

fn hang_up(scene: &Scene) -> io::Result<Vec<u8>> {
    // Whoever leads the session of the terminal is told by this signal.
    let mut told = SigSet::empty();
    told.add(Signal::SIGHUP);
    told.thread_block()?;
    let terminal = scene.number("inherited-terminal")?;
    let taken = raw::call(libc::SYS_ioctl, [terminal, libc::TIOCSCTTY as usize, 0, 0, 0, 0]);
    raw::call(libc::SYS_vhangup, [0; 6])?;
    taken.map(|_terminal| Vec::new())
}
