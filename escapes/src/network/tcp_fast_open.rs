//! Open a TCP connection by sending: no call to connect, so whoever checks only that misses it.

use fixtures::watch::tcp::TCP4;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::socket::{
    AddressFamily, MsgFlags, SockFlag, SockType, SockaddrIn, connect, sendmsg, sendto, setsockopt,
    socket, sockopt,
};
use std::io::{self, IoSlice};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::{AsRawFd, OwnedFd};

const OPEN: Escape = Escape {
    techniques: &["NT-TFO"],
    references: &[
        "https://man7.org/linux/man-pages/man7/tcp.7.html",
        "https://github.com/landlock-lsm/linux/issues/41",
        "https://git.zx2c4.com/wireguard-linux/commit/?id=481ed5dd3ed7136f627b8ec372ba39f5b2e7d27f",
    ],
    decoys: &[TCP4],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
    // The host has switched the client side off (net.ipv4.tcp_fastopen).
    absent: &[libc::ENOSYS, libc::EOPNOTSUPP],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/tcp-fast-open",
        summary: "Open a TCP connection by sendto with MSG_FASTOPEN",
        witnesses: &["seccomp/sendto", "seccomp/socket", "hook/socket.*", "hook/socket.__new__"],
        native: Some(|scene| {
            let (socket, address) = (stream()?, service(scene)?);
            sendto(socket.as_raw_fd(), scene.nonce().as_bytes(), &address, fast_open())?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("tcp_fast_open.py")),
        ..OPEN
    },
    Escape {
        id: "network/tcp-fast-open.message",
        summary: "Open a TCP connection by sendmsg with MSG_FASTOPEN",
        witnesses: &["seccomp/sendmsg", "seccomp/socket"],
        native: Some(|scene| {
            let (socket, address) = (stream()?, service(scene)?);
            let message = [IoSlice::new(scene.nonce().as_bytes())];
            sendmsg(socket.as_raw_fd(), &message, &[], fast_open(), Some(&address))?;
            Ok(Vec::new())
        }),
        ..OPEN
    },
    Escape {
        id: "network/tcp-fast-open.deferred",
        summary: "Ask for a connect that does nothing yet, and open the connection by write",
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt],
        witnesses: &[
            "landlock/connect-tcp",
            "seccomp/connect",
            "seccomp/setsockopt",
            "seccomp/socket",
        ],
        native: Some(|scene| {
            let socket = stream()?;
            setsockopt(&socket, sockopt::TcpFastOpenConnect, &true)?;
            connect(socket.as_raw_fd(), &service(scene)?)?;
            nix::unistd::write(&socket, scene.nonce().as_bytes())?;
            Ok(Vec::new())
        }),
        ..OPEN
    },
];

fn stream() -> io::Result<OwnedFd> {
    Ok(socket(AddressFamily::Inet, SockType::Stream, SockFlag::SOCK_CLOEXEC, None)?)
}

fn service(scene: &Scene) -> io::Result<SockaddrIn> {
    Ok(SocketAddrV4::new(Ipv4Addr::LOCALHOST, scene.number("tcp4")?).into())
}

fn fast_open() -> MsgFlags {
    MsgFlags::from_bits_retain(libc::MSG_FASTOPEN)
}
