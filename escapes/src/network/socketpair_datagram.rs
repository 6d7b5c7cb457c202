//! Take an innocent pair of connected sockets and address one of them elsewhere: neither socket nor
//! connect nor bind is called.

use fixtures::watch::unix::UNIX_DATAGRAM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
#[cfg(target_os = "linux")]
use nix::sys::socket::{
    AddressFamily, MsgFlags, MultiHeaders, SockFlag, SockType, UnixAddr, sendmmsg, socketpair,
};
use rustix::net::{SendAncillaryBuffer, SendFlags, SocketAddrUnix, sendmsg_addr};
use std::io::{self, IoSlice};
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixDatagram;

const SEND: Escape = Escape {
    techniques: &["NT-SOCKETPAIRDGRAM"],
    references: &[
        "https://man7.org/linux/man-pages/man2/socketpair.2.html",
        "https://github.com/LadybirdBrowser/ladybird/pull/12146",
    ],
    decoys: &[UNIX_DATAGRAM],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/socketpair-datagram",
        summary: "Address one of a pair of datagram sockets to a Unix socket outside, by sendto",
        witnesses: &[
            "seccomp/sendto",
            "seccomp/socketpair",
            "hook/socket.*",
            "hook/socket.__new__",
        ],
        native: Some(|scene| {
            let (sender, _other) = UnixDatagram::pair()?;
            sender.send_to(scene.nonce().as_bytes(), scene.path("unix-datagram")?)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("socketpair_datagram.py")),
        ..SEND
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "network/socketpair-datagram.raw",
        summary: "Ask for a pair of raw Unix sockets, which the kernel makes datagram sockets",
        witnesses: &["seccomp/sendto", "seccomp/socketpair"],
        native: Some(|scene| {
            let flags = SockFlag::SOCK_CLOEXEC;
            let (sender, _other) = socketpair(AddressFamily::Unix, SockType::Raw, None, flags)?;
            let sender = UnixDatagram::from(sender);
            sender.send_to(scene.nonce().as_bytes(), scene.path("unix-datagram")?)?;
            Ok(Vec::new())
        }),
        ..SEND
    },
    Escape {
        id: "network/socketpair-datagram.message",
        summary: "Address one of a pair of datagram sockets to a Unix socket outside, by sendmsg",
        witnesses: &["seccomp/socketpair", "hook/socket.__new__", "hook/socket.sendmsg"],
        native: Some(message),
        python: Some(include_str!("socketpair_datagram.message.py")),
        ..SEND
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "network/socketpair-datagram.many",
        summary: "Address one of a pair of datagram sockets to a Unix socket outside, by sendmmsg",
        witnesses: &["seccomp/sendmmsg", "seccomp/socketpair"],
        native: Some(many),
        ..SEND
    },
];

fn message(scene: &Scene) -> io::Result<Vec<u8>> {
    let (sender, _other) = UnixDatagram::pair()?;
    let address = SocketAddrUnix::new(scene.path("unix-datagram")?)?;
    let message = [IoSlice::new(scene.nonce().as_bytes())];
    let mut nothing = SendAncillaryBuffer::default();
    sendmsg_addr(&sender, &address, &message, &mut nothing, SendFlags::empty())?;
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
fn many(scene: &Scene) -> io::Result<Vec<u8>> {
    let (sender, _other) = UnixDatagram::pair()?;
    let message = [[IoSlice::new(scene.nonce().as_bytes())]];
    let address = [Some(UnixAddr::new(&scene.path("unix-datagram")?)?)];
    let mut headers = MultiHeaders::preallocate(1, None);
    let (number, flags) = (sender.as_raw_fd(), MsgFlags::empty());
    sendmmsg(number, &mut headers, &message, address, [], flags)?.count();
    Ok(Vec::new())
}
