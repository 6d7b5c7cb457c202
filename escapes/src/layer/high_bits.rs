//! Arguments whose upper half is not empty. The kernel takes an `int` and forgets the upper half, so a
//! filter that compares all of it compares something else than the kernel does.

use crate::native_code::acts::loopback;
use crate::raw;
use fixtures::watch::pty::INHERITED_PTY;
use fixtures::watch::udp::UDP4;
use fixtures::watch::unix::UNIX_DATAGRAM;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{UnixDatagram, UnixStream};

/// The lowest bit that an `int` does not have.
const HIGH: usize = 1 << 32;

/// `FIOSETOWN` and `TIOCSIG` of asm-generic/ioctls.h.
const FIOSETOWN: usize = 0x8901;
const TIOCSIG: usize = 0x4004_5436;

const BITS: Escape = Escape {
    techniques: &["SC-HIGHBITS"],
    references: &[
        "https://github.com/flatpak/flatpak/issues/2782",
        "https://github.com/containers/bubblewrap/pull/150",
        "https://github.com/firedancer-io/firedancer/issues/9185",
    ],
    needs: &[Need::Linux],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

const OWNER: Escape = Escape {
    techniques: &["SC-HIGHBITS", "KP-SIGIO"],
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace],
    silent: Some("Landlock lets the owner be set and sends no signal to it"),
    ..BITS
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "layer/high-bits",
        summary: "Send a datagram by a socket whose family has its upper half set",
        decoys: &[UDP4],
        stops: &[Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["seccomp/sendto", "seccomp/socket"],
        native: Some(datagram),
        ..BITS
    },
    Escape {
        id: "layer/high-bits.pair",
        summary: "Send a datagram by a socket pair whose family and kind have their upper halves set",
        decoys: &[UNIX_DATAGRAM],
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["seccomp/sendto", "seccomp/socketpair"],
        native: Some(pair),
        ..BITS
    },
    Escape {
        id: "layer/high-bits.kind",
        summary: "Send a datagram by a socket pair of which only the kind has its upper half set",
        decoys: &[UNIX_DATAGRAM],
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["seccomp/sendto", "seccomp/socketpair"],
        native: Some(kind),
        ..BITS
    },
    Escape {
        id: "layer/high-bits.address",
        summary: "Send a datagram to an address whose place in memory has an empty lower half",
        references: &["https://man7.org/linux/man-pages/man2/seccomp.2.html"],
        decoys: &[UNIX_DATAGRAM],
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["seccomp/sendto", "seccomp/socketpair"],
        native: Some(high_address),
        ..BITS
    },
    Escape {
        id: "layer/high-bits.owner",
        summary: "Let the kernel signal a process outside by an fcntl whose command has its upper half set",
        witnesses: &["landlock/scope-signal", "seccomp/fcntl"],
        native: Some(|scene| {
            signalled(|socket| {
                let victim = scene.number::<u32>("victim")? as usize;
                let command = libc::F_SETOWN as usize | HIGH;
                raw::call(libc::SYS_fcntl, [socket, command, victim, 0, 0, 0])
            })
        }),
        ..OWNER
    },
    Escape {
        id: "layer/high-bits.owner-request",
        summary: "Let the kernel signal a process outside by an ioctl whose request has its upper half set",
        witnesses: &["landlock/scope-signal", "seccomp/ioctl"],
        native: Some(|scene| {
            signalled(|socket| {
                let victim: i32 = scene.number("victim")?;
                let place = &raw const victim as usize;
                raw::call(libc::SYS_ioctl, [socket, FIOSETOWN | HIGH, place, 0, 0, 0])
            })
        }),
        ..OWNER
    },
    Escape {
        id: "layer/high-bits.signal",
        summary: "Signal a process outside whose number has its upper half set",
        techniques: &["SC-HIGHBITS", "KP-KILL"],
        decoys: &[VICTIM],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["landlock/scope-signal", "seccomp/kill"],
        twin: Twin::OwnSignal,
        native: Some(|scene| {
            let victim = scene.number::<u32>("victim")? as usize | HIGH;
            raw::call(libc::SYS_kill, [victim, libc::SIGUSR1 as usize, 0, 0, 0, 0])?;
            Ok(Vec::new())
        }),
        ..BITS
    },
    Escape {
        id: "layer/high-bits.limit",
        summary: "Limit a process outside whose number has its upper half set",
        techniques: &["SC-HIGHBITS", "KP-PRLIMITKILL"],
        decoys: &[VICTIM],
        stops: &[Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["seccomp/prlimit64"],
        twin: Twin::OwnProcess,
        native: Some(limit),
        ..BITS
    },
    Escape {
        id: "layer/high-bits.terminal",
        summary: "Interrupt whoever sits at another's terminal by an ioctl whose request has its upper half set",
        techniques: &["SC-HIGHBITS", "IP-PTYMASTER"],
        decoys: &[INHERITED_PTY],
        stops: &[Layer::Seccomp, Layer::Hygiene],
        witnesses: &["hygiene/close-descriptors", "seccomp/ioctl"],
        native: Some(|scene| {
            let terminal = scene.number("inherited-pty")?;
            let signal = libc::SIGINT as usize;
            raw::call(libc::SYS_ioctl, [terminal, TIOCSIG | HIGH, signal, 0, 0, 0])?;
            Ok(Vec::new())
        }),
        ..BITS
    },
];

fn datagram(scene: &Scene) -> io::Result<Vec<u8>> {
    let family = libc::AF_INET as usize | HIGH;
    let socket = raw::call(libc::SYS_socket, [family, libc::SOCK_DGRAM as usize, 0, 0, 0, 0])?;
    send(socket as usize, &loopback(scene.number("udp4")?))
}

fn pair(scene: &Scene) -> io::Result<Vec<u8>> {
    pair_of(scene, libc::AF_UNIX as usize | HIGH, libc::SOCK_DGRAM as usize | HIGH)
}

fn kind(scene: &Scene) -> io::Result<Vec<u8>> {
    pair_of(scene, libc::AF_UNIX as usize, libc::SOCK_DGRAM as usize | HIGH)
}

fn pair_of(scene: &Scene, family: usize, kind: usize) -> io::Result<Vec<u8>> {
    let mut sockets = [0_i32; 2];
    let place = sockets.as_mut_ptr() as usize;
    raw::call(libc::SYS_socketpair, [family, kind, 0, place, 0, 0])?;
    let [near, _far] = sockets;
    // struct sockaddr_un of unix(7).
    let path = scene.clue("unix-datagram")?.as_bytes();
    let address = [&(libc::AF_UNIX as u16).to_ne_bytes(), path, b"\0"].concat();
    send(near as usize, &address)
}

/// Sends a message of one byte to an address.
fn send(socket: usize, address: &[u8]) -> io::Result<Vec<u8>> {
    let place = address.as_ptr() as usize;
    raw::call(libc::SYS_sendto, [socket, place, 1, 0, place, address.len()])?;
    Ok(Vec::new())
}

/// A filter that looks at half of a pointer takes this one for none at all.
fn high_address(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = scene.clue("unix-datagram")?.as_bytes();
    let address = [&(libc::AF_UNIX as u16).to_ne_bytes(), path, b"\0"].concat();
    let place = raw::code::at(HIGH, &address)?;
    let (sender, _other) = UnixDatagram::pair()?;
    let socket = sender.as_raw_fd() as usize;
    raw::call(libc::SYS_sendto, [socket, place, 1, 0, place, address.len()])?;
    Ok(Vec::new())
}

/// Makes somebody the owner of a socket, and the socket signal its owner.
fn signalled(own: impl FnOnce(usize) -> io::Result<i64>) -> io::Result<Vec<u8>> {
    let (near, mut far) = UnixStream::pair()?;
    let socket = near.as_raw_fd() as usize;
    own(socket)?;
    raw::call(libc::SYS_fcntl, [socket, libc::F_SETFL as usize, libc::O_ASYNC as usize, 0, 0, 0])?;
    far.write_all(b"x")?;
    Ok(Vec::new())
}

/// Lowers the victim's limit of open files to what it has.
fn limit(scene: &Scene) -> io::Result<Vec<u8>> {
    let victim = scene.number::<u32>("victim")? as usize | HIGH;
    let limit = [64_u64, 64];
    let (resource, place) = (libc::RLIMIT_NOFILE as usize, limit.as_ptr() as usize);
    raw::call(libc::SYS_prlimit64, [victim, resource, place, 0, 0, 0])?;
    Ok(Vec::new())
}
