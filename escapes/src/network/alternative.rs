//! Reach a service by a transport that is neither TCP nor UDP, which a rule on those two misses.

use super::answer;
use super::transport::{ABSENT, DCCP, MPTCP, SCTP, SMC, Transport, UDP_LITE};
use fixtures::watch::serve::SERVE;
use fixtures::watch::tcp::TCP4;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::net::{SendFlags, SocketFlags, SocketType, bind, connect, listen, send, socket_with};
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};

const REACH: Escape = Escape {
    techniques: &["NT-SCTPSMC"],
    references: &["https://github.com/landlock-lsm/linux/issues/54"],
    stops: &[Layer::Seccomp, Layer::OtherNamespace],
    absent: ABSENT,
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/alternative",
        summary: "Connect to a TCP port by multipath TCP, which falls back to TCP by itself",
        decoys: &[TCP4],
        stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Hook],
        witnesses: &["seccomp/connect", "seccomp/socket", "hook/socket.*", "hook/socket.__new__"],
        native: Some(|scene| reach(scene, MPTCP, "tcp4")),
        python: Some(include_str!("alternative.py")),
        ..REACH
    },
    Escape {
        id: "network/alternative.mptcp-serve",
        summary: "Serve TCP callers by multipath TCP",
        decoys: &[SERVE],
        witnesses: &["seccomp/accept4", "seccomp/bind", "seccomp/listen", "seccomp/socket"],
        native: Some(|scene| {
            let socket = MPTCP.socket()?;
            bind(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0))?;
            listen(&socket, 1)?;
            let listener = TcpListener::from(socket);
            let place = format!("tcp4 {}", listener.local_addr()?.port());
            answer::call(scene, &place, move || Ok(listener.accept()?.0))
        }),
        ..REACH
    },
    Escape {
        id: "network/alternative.smc",
        summary: "Connect to a TCP port by shared memory communications, which falls back to TCP",
        references: &["https://docs.kernel.org/networking/smc-sysctl.html"],
        decoys: &[TCP4],
        witnesses: &["seccomp/socket"],
        native: Some(|scene| {
            let socket = socket_with(SMC, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
            connect(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, scene.number("tcp4")?))?;
            Ok(Vec::new())
        }),
        ..REACH
    },
    Escape {
        id: "network/alternative.sctp",
        summary: "Connect to a service by SCTP",
        references: &["https://man7.org/linux/man-pages/man7/sctp.7.html"],
        decoys: &[&SCTP],
        witnesses: &["seccomp/socket"],
        native: Some(|scene| reach(scene, SCTP, Transport::CLUE)),
        ..REACH
    },
    Escape {
        id: "network/alternative.dccp",
        summary: "Connect to a service by DCCP",
        references: &["https://docs.kernel.org/6.12/networking/dccp.html"],
        decoys: &[&DCCP],
        witnesses: &["seccomp/socket"],
        native: Some(|scene| reach(scene, DCCP, Transport::CLUE)),
        ..REACH
    },
    Escape {
        id: "network/alternative.udp-lite",
        summary: "Send a datagram to a service by UDP-Lite",
        references: &["https://man7.org/linux/man-pages/man7/udplite.7.html"],
        decoys: &[&UDP_LITE],
        witnesses: &["seccomp/connect", "seccomp/socket"],
        native: Some(|scene| reach(scene, UDP_LITE, Transport::CLUE)),
        ..REACH
    },
];

fn reach(scene: &Scene, transport: Transport, clue: &str) -> io::Result<Vec<u8>> {
    let socket = transport.socket()?;
    connect(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, scene.number(clue)?))?;
    send(&socket, scene.nonce().as_bytes(), SendFlags::NOSIGNAL)?;
    Ok(Vec::new())
}
