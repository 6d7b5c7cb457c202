//! Use the master of a terminal that the launcher left open: whoever has it is the keyboard of a
//! session outside.

use crate::raw;
use fixtures::watch::pty::INHERITED_PTY;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const TERMINAL: Escape = Escape {
    techniques: &["IP-PTYMASTER"],
    references: &["CWE-403", "https://man7.org/linux/man-pages/man2/TIOCSTI.2const.html"],
    decoys: &[INHERITED_PTY],
    stops: &[Layer::Hygiene],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/pty-master",
        summary: "Type a command to a session outside at its terminal, left open",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| write(scene, b"id\n")),
        python: Some(include_str!("pty_master.py")),
        ..TERMINAL
    },
    Escape {
        id: "ipc/pty-master.interrupt",
        summary: "Interrupt a session outside by typing ^C at its terminal, left open",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| write(scene, b"\x03")),
        ..TERMINAL
    },
    Escape {
        id: "ipc/pty-master.signal",
        summary: "Signal a session outside by an ioctl on its terminal, left open",
        references: &["CWE-403", "https://man7.org/linux/man-pages/man2/ioctl_tty.2.html"],
        stops: &[Layer::Hygiene, Layer::Seccomp],
        witnesses: &["hygiene/close-descriptors", "seccomp/ioctl"],
        native: Some(|scene| control(scene, TIOCSIG, libc::SIGINT as usize)),
        ..TERMINAL
    },
    Escape {
        id: "ipc/pty-master.resize",
        summary: "Resize the terminal of a session outside, left open",
        techniques: &["IP-TIOCLINUX"],
        references: &["CWE-403", "https://man7.org/linux/man-pages/man2/TIOCSWINSZ.2const.html"],
        stops: &[Layer::Hygiene, Layer::Seccomp, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "seccomp/ioctl"],
        native: Some(|scene| {
            let size = [7_u16, 7, 0, 0];
            control(scene, libc::TIOCSWINSZ, size.as_ptr() as usize)
        }),
        python: Some(include_str!("pty_master.resize.py")),
        ..TERMINAL
    },
    Escape {
        id: "ipc/pty-master.modes",
        summary: "Change the modes of the terminal of a session outside, left open",
        techniques: &["IP-TIOCLINUX"],
        references: &["CWE-403", "https://man7.org/linux/man-pages/man3/termios.3.html"],
        stops: &[Layer::Hygiene, Layer::Seccomp],
        witnesses: &["hygiene/close-descriptors", "seccomp/ioctl"],
        native: Some(modes),
        python: Some(include_str!("pty_master.modes.py")),
        ..TERMINAL
    },
];

/// `TIOCSIG` of `asm-generic/ioctls.h`, which the `libc` crate does not have.
const TIOCSIG: u64 = 0x4004_5436;

/// Types and waits for the echo: the terminal takes the keys in its own time (`n_tty`).
fn write(scene: &Scene, keys: &[u8]) -> io::Result<Vec<u8>> {
    let terminal = scene.number("inherited-pty")?;
    raw::call(libc::SYS_write, [terminal, keys.as_ptr() as usize, keys.len(), 0, 0, 0])?;
    let mut echo = libc::pollfd { fd: terminal as i32, events: libc::POLLIN, revents: 0 };
    let second = [1_i64, 0];
    let (echo, second) = ((&raw mut echo) as usize, second.as_ptr() as usize);
    raw::call(libc::SYS_ppoll, [echo, 1, second, 0, 0, 0])?;
    Ok(Vec::new())
}

fn control(scene: &Scene, request: u64, argument: usize) -> io::Result<Vec<u8>> {
    let terminal = scene.number("inherited-pty")?;
    raw::call(libc::SYS_ioctl, [terminal, request as usize, argument, 0, 0, 0])?;
    Ok(Vec::new())
}

/// `struct termios` of the kernel begins with four words of flags, the second of them for output.
fn modes(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut modes = [0_u32; 16];
    control(scene, libc::TCGETS, modes.as_mut_ptr() as usize)?;
    modes[1] ^= libc::ONLCR;
    control(scene, libc::TCSETS, modes.as_ptr() as usize)
}
