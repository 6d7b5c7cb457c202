//! Connect to a TCP service of this host.

use super::service;
#[cfg(target_os = "linux")]
use crate::raw;
use fixtures::watch::tcp::{TCP4, TCP6};
use harness::escape::{Escape, Layer};
#[cfg(target_os = "linux")]
use harness::scene::Scene;
use harness::twin::Twin;
#[cfg(target_os = "linux")]
use rustix::net::connect;
use std::io;
#[cfg(target_os = "linux")]
use std::net::SocketAddrV4;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpStream};

const CONNECT: Escape = Escape {
    techniques: &["NT-TCPCONNECT"],
    references: &["https://man7.org/linux/man-pages/man7/landlock.7.html", "CWE-923"],
    decoys: &[TCP4],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

/// What holds a connection that Python has a form of.
const BY_BOTH: &[&str] = &[
    "landlock/connect-tcp",
    "seccomp/connect",
    "seccomp/socket",
    "hook/socket.*",
    "hook/socket.__new__",
];

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/tcp-connect",
        summary: "Connect to a TCP port of the IPv4 loopback and ask the service for its secret",
        witnesses: BY_BOTH,
        native: Some(|scene| ask(Ipv4Addr::LOCALHOST.into(), scene.number("tcp4")?)),
        python: Some(include_str!("tcp_connect.py")),
        ..CONNECT
    },
    Escape {
        id: "network/tcp-connect.v6",
        summary: "Connect to a TCP port of the IPv6 loopback and ask the service for its secret",
        decoys: &[TCP6],
        witnesses: BY_BOTH,
        native: Some(|scene| ask(Ipv6Addr::LOCALHOST.into(), scene.number("tcp6")?)),
        python: Some(include_str!("tcp_connect.v6.py")),
        ..CONNECT
    },
    Escape {
        id: "network/tcp-connect.mapped",
        summary: "Connect to an IPv4 port by an IPv6 socket, under a mapped address",
        witnesses: BY_BOTH,
        native: Some(|scene| {
            ask(Ipv4Addr::LOCALHOST.to_ipv6_mapped().into(), scene.number("tcp4")?)
        }),
        python: Some(include_str!("tcp_connect.mapped.py")),
        ..CONNECT
    },
    Escape {
        id: "network/tcp-connect.unspecified",
        summary: "Connect to the loopback under the address 0.0.0.0, which a rule on 127.0.0.1 misses",
        witnesses: &["landlock/connect-tcp", "seccomp/connect", "seccomp/socket"],
        native: Some(|scene| ask(Ipv4Addr::UNSPECIFIED.into(), scene.number("tcp4")?)),
        ..CONNECT
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "network/tcp-connect.high-bits",
        summary: "Ask for a TCP socket with bits above the 32 that the kernel looks at",
        references: &["https://man7.org/linux/man-pages/man2/seccomp.2.html", "CWE-681"],
        witnesses: &["landlock/connect-tcp", "seccomp/connect", "seccomp/socket"],
        native: Some(high_bits),
        ..CONNECT
    },
    Escape {
        id: "network/tcp-connect.library",
        summary: "Connect by the HTTP client of the standard library",
        witnesses: BY_BOTH,
        python: Some(include_str!("tcp_connect.library.py")),
        ..CONNECT
    },
    Escape {
        id: "network/tcp-connect.event-loop",
        summary: "Connect by an event loop, which never blocks in connect",
        witnesses: BY_BOTH,
        python: Some(include_str!("tcp_connect.event-loop.py")),
        ..CONNECT
    },
];

fn ask(address: IpAddr, port: u16) -> io::Result<Vec<u8>> {
    service::ask(TcpStream::connect((address, port))?)
}

#[cfg(target_os = "linux")]
fn high_bits(scene: &Scene) -> io::Result<Vec<u8>> {
    let family = 1 << 32 | libc::AF_INET as usize;
    let socket =
        raw::descriptor(libc::SYS_socket, [family, libc::SOCK_STREAM as usize, 0, 0, 0, 0])?;
    connect(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, scene.number("tcp4")?))?;
    service::ask(TcpStream::from(socket))
}
