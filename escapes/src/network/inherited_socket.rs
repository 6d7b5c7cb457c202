//! Use a socket that the launcher left open: nothing has to be created or connected.

use crate::raw;
use fixtures::watch::inherited::{INHERITED_LISTENER, INHERITED_SOCKET};
#[cfg(target_os = "linux")]
use fixtures::watch::tcp::TCP4;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
#[cfg(target_os = "linux")]
use nix::sys::socket::{SockaddrIn, connect};
use std::io;
#[cfg(target_os = "linux")]
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::RawFd;

const INHERITED: Escape = Escape {
    techniques: &["NT-INHERITSOCK"],
    references: &[
        "CWE-403",
        "https://nvd.nist.gov/vuln/detail/CVE-2024-21626",
        "https://safeguard.sh/resources/blog/leaky-vessels-runc-container-escape-class-2024",
    ],
    decoys: &[INHERITED_SOCKET],
    stops: &[Layer::Hygiene],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/inherited-socket",
        summary: "Write to a connected socket that the launcher left open",
        witnesses: &["hygiene/close-descriptors"],
        native: Some(|scene| write(scene, scene.number("inherited-socket")?)),
        python: Some(include_str!("inherited_socket.py")),
        ..INHERITED
    },
    Escape {
        id: "network/inherited-socket.listener",
        summary: "Accept a caller at a listening socket that the launcher left open",
        decoys: &[INHERITED_LISTENER],
        stops: &[Layer::Hygiene, Layer::Seccomp, Layer::Hook],
        witnesses: &["hygiene/close-descriptors", "seccomp/accept4"],
        native: Some(|scene| {
            let listener = scene.number("inherited-listener")?;
            write(scene, accept(listener)?)
        }),
        python: Some(include_str!("inherited_socket.listener.py")),
        ..INHERITED
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "network/inherited-socket.oldest-listener",
        summary: "Accept a caller at a listening socket, left open, by the oldest call for it",
        decoys: &[INHERITED_LISTENER],
        stops: &[Layer::Hygiene, Layer::Seccomp],
        witnesses: &["hygiene/close-descriptors", "seccomp/accept"],
        native: Some(|scene| {
            let listener = scene.number("inherited-listener")?;
            let caller = raw::call(libc::SYS_accept, [listener, 0, 0, 0, 0, 0])?;
            write(scene, i32::try_from(caller).map_err(io::Error::other)?)
        }),
        ..INHERITED
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "network/inherited-socket.reconnect",
        summary: "Disconnect a socket that the launcher left open and connect it elsewhere",
        decoys: &[INHERITED_SOCKET, TCP4],
        stops: &[Layer::Hygiene, Layer::Landlock, Layer::Seccomp],
        witnesses: &["hygiene/close-descriptors", "landlock/connect-tcp", "seccomp/connect"],
        native: Some(reconnect),
        ..INHERITED
    },
];

#[cfg(target_os = "linux")]
fn accept(listener: RawFd) -> io::Result<RawFd> {
    let arguments = [listener as usize, 0, 0, 0, 0, 0];
    let caller = raw::call(libc::SYS_accept4, arguments)?;
    i32::try_from(caller).map_err(io::Error::other)
}

#[cfg(target_os = "macos")]
fn accept(listener: RawFd) -> io::Result<RawFd> {
    Ok(nix::sys::socket::accept(listener)?)
}

fn write(scene: &Scene, socket: RawFd) -> io::Result<Vec<u8>> {
    rustix::io::write(raw::borrow(socket), scene.nonce().as_bytes())?;
    Ok(Vec::new())
}

/// An address of no family ends the connection (connect(2)).
#[cfg(target_os = "linux")]
fn reconnect(scene: &Scene) -> io::Result<Vec<u8>> {
    let socket: i32 = scene.number("inherited-socket")?;
    let nowhere = [0_u64; 2];
    let arguments = [socket as usize, nowhere.as_ptr() as usize, size_of_val(&nowhere), 0, 0, 0];
    raw::call(libc::SYS_connect, arguments)?;
    let service = SocketAddrV4::new(Ipv4Addr::LOCALHOST, scene.number("tcp4")?);
    connect(socket, &SockaddrIn::from(service))?;
    Ok(Vec::new())
}
