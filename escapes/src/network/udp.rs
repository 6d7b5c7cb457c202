//! Send a datagram to a UDP service of this host.

use fixtures::watch::udp::{UDP4, UDP6};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
#[cfg(target_os = "linux")]
use nix::sys::socket::{MsgFlags, MultiHeaders, SockaddrIn, sendmmsg};
use rustix::net::{SendAncillaryBuffer, SendFlags, sendmsg_addr};
use std::io::{self, IoSlice};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddrV4, UdpSocket};
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;

const SEND: Escape = Escape {
    techniques: &["NT-UDP"],
    references: &[
        "https://man7.org/linux/man-pages/man7/udp.7.html",
        "https://github.com/landlock-lsm/linux/issues/10",
    ],
    decoys: &[UDP4],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/udp",
        summary: "Send a datagram to a UDP port of the IPv4 loopback",
        witnesses: &[
            "seccomp/bind",
            "seccomp/sendto",
            "seccomp/socket",
            "hook/socket.*",
            "hook/socket.__new__",
        ],
        native: Some(|scene| {
            let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
            socket.send_to(scene.nonce().as_bytes(), service(scene)?)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("udp.py")),
        ..SEND
    },
    Escape {
        id: "network/udp.v6",
        summary: "Send a datagram to a UDP port of the IPv6 loopback",
        decoys: &[UDP6],
        witnesses: &["seccomp/bind", "seccomp/sendto", "seccomp/socket"],
        native: Some(|scene| {
            let socket = UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0))?;
            let port: u16 = scene.number("udp6")?;
            socket.send_to(scene.nonce().as_bytes(), (Ipv6Addr::LOCALHOST, port))?;
            Ok(Vec::new())
        }),
        ..SEND
    },
    Escape {
        id: "network/udp.connected",
        summary: "Connect a UDP socket and write to it as to a file",
        witnesses: &[
            "seccomp/bind",
            "seccomp/connect",
            "seccomp/socket",
            "hook/socket.*",
            "hook/socket.__new__",
        ],
        native: Some(|scene| {
            let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
            socket.connect(service(scene)?)?;
            nix::unistd::write(&socket, scene.nonce().as_bytes())?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("udp.connected.py")),
        ..SEND
    },
    Escape {
        id: "network/udp.message",
        summary: "Send a datagram by sendmsg, which a filter that knows only sendto lets pass",
        references: &["https://man7.org/linux/man-pages/man2/sendmsg.2.html"],
        witnesses: &["seccomp/bind", "seccomp/sendmsg", "seccomp/socket"],
        stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt],
        native: Some(|scene| {
            let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
            let message = [IoSlice::new(scene.nonce().as_bytes())];
            let mut nothing = SendAncillaryBuffer::default();
            sendmsg_addr(&socket, &service(scene)?, &message, &mut nothing, SendFlags::empty())?;
            Ok(Vec::new())
        }),
        ..SEND
    },
    Escape {
        id: "network/udp.mapped",
        summary: "Send a datagram to an IPv4 port by an IPv6 socket, under a mapped address",
        witnesses: &["seccomp/bind", "seccomp/sendto", "seccomp/socket"],
        stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt],
        native: Some(|scene| {
            let socket = UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0))?;
            let address = (Ipv4Addr::LOCALHOST.to_ipv6_mapped(), service(scene)?.port());
            socket.send_to(scene.nonce().as_bytes(), address)?;
            Ok(Vec::new())
        }),
        ..SEND
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "network/udp.many",
        summary: "Send datagrams by sendmmsg, which a filter that knows only sendto lets pass",
        references: &["https://man7.org/linux/man-pages/man2/sendmmsg.2.html"],
        witnesses: &["seccomp/bind", "seccomp/sendmmsg", "seccomp/socket"],
        native: Some(many),
        ..SEND
    },
];

fn service(scene: &Scene) -> io::Result<SocketAddrV4> {
    Ok(SocketAddrV4::new(Ipv4Addr::LOCALHOST, scene.number("udp4")?))
}

#[cfg(target_os = "linux")]
fn many(scene: &Scene) -> io::Result<Vec<u8>> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    let message = [[IoSlice::new(scene.nonce().as_bytes())]];
    let address = [Some(SockaddrIn::from(service(scene)?))];
    let mut headers = MultiHeaders::preallocate(1, None);
    let (number, flags) = (socket.as_raw_fd(), MsgFlags::empty());
    sendmmsg(number, &mut headers, &message, address, [], flags)?.count();
    Ok(Vec::new())
}
