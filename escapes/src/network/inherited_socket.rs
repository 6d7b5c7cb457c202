//! Use a socket that the launcher left open: nothing has to be created or connected.

use crate::raw;
use fixtures::watch::inherited::{INHERITED_LISTENER, INHERITED_SOCKET};
use fixtures::watch::tcp::TCP4;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::socket::{SockaddrIn, connect};
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};

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
            let caller = raw::call(libc::SYS_accept4, [listener, 0, 0, 0, 0, 0])?;
            write(scene, caller as usize)
        }),
        python: Some(include_str!("inherited_socket.listener.py")),
        ..INHERITED
    },
    Escape {
        id: "network/inherited-socket.oldest-listener",
        summary: "Accept a caller at a listening socket, left open, by the oldest call for it",
        decoys: &[INHERITED_LISTENER],
        stops: &[Layer::Hygiene, Layer::Seccomp],
        witnesses: &["hygiene/close-descriptors", "seccomp/accept"],
        native: Some(|scene| {
            let listener = scene.number("inherited-listener")?;
            let caller = raw::call(libc::SYS_accept, [listener, 0, 0, 0, 0, 0])?;
            write(scene, caller as usize)
        }),
        ..INHERITED
    },
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

fn write(scene: &Scene, socket: usize) -> io::Result<Vec<u8>> {
    let message = scene.nonce().as_bytes();
    raw::call(libc::SYS_write, [socket, message.as_ptr() as usize, message.len(), 0, 0, 0])?;
    Ok(Vec::new())
}

/// An address of no family ends the connection (connect(2)).
fn reconnect(scene: &Scene) -> io::Result<Vec<u8>> {
    let socket: i32 = scene.number("inherited-socket")?;
    let nowhere = [0_u64; 2];
    let arguments = [socket as usize, nowhere.as_ptr() as usize, size_of_val(&nowhere), 0, 0, 0];
    raw::call(libc::SYS_connect, arguments)?;
    let service = SocketAddrV4::new(Ipv4Addr::LOCALHOST, scene.number("tcp4")?);
    connect(socket, &SockaddrIn::from(service))?;
    Ok(Vec::new())
}
