//! Type into the input of a terminal that the launcher left open: whoever reads there next, a shell, takes
//! it for keys.

use crate::raw;
use fixtures::watch::terminal::INHERITED_TERMINAL;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const TYPED: Escape = Escape {
    techniques: &["IP-TIOCSTI"],
    references: &[
        "CVE-2017-5226",
        "https://github.com/containers/bubblewrap/issues/142",
        "https://man7.org/linux/man-pages/man2/TIOCSTI.2const.html",
    ],
    decoys: &[INHERITED_TERMINAL],
    stops: &[Layer::Hygiene, Layer::Seccomp, Layer::Hook],
    // `dev.tty.legacy_tiocsti` is 0 and the user is not privileged.
    absent: &[libc::ENOSYS, libc::EIO],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/terminal",
        summary: "Type a command into the input of a terminal, left open",
        witnesses: &["hygiene/close-descriptors", "seccomp/ioctl", "hook/fcntl.ioctl"],
        native: Some(plain),
        python: Some(include_str!("terminal.py")),
        ..TYPED
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "ipc/terminal.high-bits",
        summary: "Type into the input of a terminal by a request whose upper half is set",
        techniques: &["IP-TIOCSTI", "SC-HIGHBITS"],
        references: &["CVE-2019-10063", "https://github.com/flatpak/flatpak/issues/2782"],
        stops: &[Layer::Hygiene, Layer::Seccomp],
        witnesses: &["hygiene/close-descriptors", "seccomp/ioctl"],
        native: Some(|scene| typed(scene, 1 << 32)),
        ..TYPED
    },
];

#[cfg(target_os = "linux")]
fn plain(scene: &Scene) -> io::Result<Vec<u8>> {
    typed(scene, 0)
}

#[cfg(target_os = "macos")]
fn plain(scene: &Scene) -> io::Result<Vec<u8>> {
    let terminal = raw::borrow(scene.number("inherited-terminal")?);
    rustix::process::ioctl_tiocsctty(terminal)?;
    for key in b"id\n" {
        raw::type_key(terminal, *key)?;
    }
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
fn typed(scene: &Scene, high: usize) -> io::Result<Vec<u8>> {
    let terminal: usize = scene.number("inherited-terminal")?;
    let request = |request: u64, argument: usize| {
        raw::call(libc::SYS_ioctl, [terminal, request as usize | high, argument, 0, 0, 0])
    };
    // The program leads a session without a terminal, so it may take this one.
    request(libc::TIOCSCTTY, 0)?;
    for key in b"id\n" {
        request(libc::TIOCSTI, key as *const u8 as usize)?;
    }
    Ok(Vec::new())
}
