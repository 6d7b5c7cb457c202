//! Use the master of a terminal that the launcher left open: whoever has it is the keyboard of a
//! session outside.

#[cfg(target_os = "linux")]
use crate::raw;
use fixtures::watch::pty::INHERITED_PTY;
use harness::escape::{Escape, Layer};
#[cfg(target_os = "linux")]
use harness::scene::Scene;
use harness::twin::Twin;
#[cfg(target_os = "linux")]
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
        native: Some(interrupt),
        ..TERMINAL
    },
    Escape {
        id: "ipc/pty-master.resize",
        summary: "Resize the terminal of a session outside, left open",
        techniques: &["IP-TIOCLINUX"],
        references: &["CWE-403", "https://man7.org/linux/man-pages/man2/TIOCSWINSZ.2const.html"],
        stops: &[Layer::Hygiene, Layer::Seccomp, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "seccomp/ioctl"],
        native: Some(resize),
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
#[cfg(target_os = "linux")]
const TIOCSIG: u64 = 0x4004_5436;

/// Types and waits for the echo: the terminal takes the keys in its own time (`n_tty`).
#[cfg(target_os = "linux")]
fn write(scene: &Scene, keys: &[u8]) -> io::Result<Vec<u8>> {
    let terminal = scene.number("inherited-pty")?;
    raw::call(libc::SYS_write, [terminal, keys.as_ptr() as usize, keys.len(), 0, 0, 0])?;
    let mut echo = libc::pollfd { fd: terminal as i32, events: libc::POLLIN, revents: 0 };
    let second = [1_i64, 0];
    let (echo, second) = ((&raw mut echo) as usize, second.as_ptr() as usize);
    raw::call(libc::SYS_ppoll, [echo, 1, second, 0, 0, 0])?;
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
fn control(scene: &Scene, request: u64, argument: usize) -> io::Result<Vec<u8>> {
    let terminal = scene.number("inherited-pty")?;
    raw::call(libc::SYS_ioctl, [terminal, request as usize, argument, 0, 0, 0])?;
    Ok(Vec::new())
}

/// `struct termios` of the kernel begins with four words of flags, the second of them for output.
#[cfg(target_os = "linux")]
fn modes(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut modes = [0_u32; 16];
    control(scene, libc::TCGETS, modes.as_mut_ptr() as usize)?;
    modes[1] ^= libc::ONLCR;
    control(scene, libc::TCSETS, modes.as_ptr() as usize)
}

#[cfg(target_os = "linux")]
fn interrupt(scene: &Scene) -> io::Result<Vec<u8>> {
    control(scene, TIOCSIG, libc::SIGINT as usize)
}

#[cfg(target_os = "linux")]
fn resize(scene: &Scene) -> io::Result<Vec<u8>> {
    let size = [7_u16, 7, 0, 0];
    control(scene, libc::TIOCSWINSZ, size.as_ptr() as usize)
}

#[cfg(target_os = "macos")]
use on_macos::{interrupt, modes, resize, write};

/// The same by the calls of the C library.
#[cfg(target_os = "macos")]
mod on_macos {
    use crate::raw;
    use harness::scene::Scene;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{
        OptionalActions, OutputModes, Winsize, tcgetattr, tcsetattr, tcsetwinsize,
    };
    use std::io;
    use std::os::fd::BorrowedFd;

    fn terminal(scene: &Scene) -> io::Result<BorrowedFd<'static>> {
        Ok(raw::borrow(scene.number("inherited-pty")?))
    }

    pub(super) fn write(scene: &Scene, keys: &[u8]) -> io::Result<Vec<u8>> {
        let terminal = terminal(scene)?;
        rustix::io::write(terminal, keys)?;
        let second = Timespec { tv_sec: 1, tv_nsec: 0 };
        poll(&mut [PollFd::from_borrowed_fd(terminal, PollFlags::IN)], Some(&second))?;
        Ok(Vec::new())
    }

    pub(super) fn interrupt(scene: &Scene) -> io::Result<Vec<u8>> {
        raw::signal_terminal(terminal(scene)?, libc::SIGINT).map(|()| Vec::new())
    }

    pub(super) fn resize(scene: &Scene) -> io::Result<Vec<u8>> {
        let size = Winsize { ws_row: 7, ws_col: 7, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(terminal(scene)?, size)?;
        Ok(Vec::new())
    }

    pub(super) fn modes(scene: &Scene) -> io::Result<Vec<u8>> {
        let mut modes = tcgetattr(terminal(scene)?)?;
        modes.output_modes.toggle(OutputModes::ONLCR);
        tcsetattr(terminal(scene)?, OptionalActions::Now, &modes)?;
        Ok(Vec::new())
    }
}
