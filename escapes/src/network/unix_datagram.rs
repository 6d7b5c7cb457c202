//! Send a datagram to a Unix socket outside, which needs no connect.

use fixtures::watch::unix::UNIX_DATAGRAM;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use rustix::net::{SendAncillaryBuffer, SendFlags, SocketAddrUnix, sendmsg_addr};
use std::io::IoSlice;
use std::os::unix::net::UnixDatagram;

const SEND: Escape = Escape {
    techniques: &["NT-UNIXDGRAM"],
    references: &[
        "https://man7.org/linux/man-pages/man7/unix.7.html",
        "https://github.com/nolabs-ai/nono/issues/1089",
        "https://github.com/LadybirdBrowser/ladybird/pull/12146",
    ],
    decoys: &[UNIX_DATAGRAM],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/unix-datagram",
        summary: "Send a datagram to a Unix socket outside by sendto",
        witnesses: &["seccomp/sendto", "seccomp/socket", "hook/socket.*", "hook/socket.__new__"],
        native: Some(|scene| {
            let sender = UnixDatagram::unbound()?;
            sender.send_to(scene.nonce().as_bytes(), scene.path("unix-datagram")?)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("unix_datagram.py")),
        ..SEND
    },
    Escape {
        id: "network/unix-datagram.message",
        summary: "Send a datagram to a Unix socket outside by sendmsg",
        witnesses: &["seccomp/socket", "hook/socket.__new__", "hook/socket.sendmsg"],
        native: Some(|scene| {
            let sender = UnixDatagram::unbound()?;
            let address = SocketAddrUnix::new(scene.path("unix-datagram")?)?;
            let message = [IoSlice::new(scene.nonce().as_bytes())];
            let mut nothing = SendAncillaryBuffer::default();
            sendmsg_addr(&sender, &address, &message, &mut nothing, SendFlags::empty())?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("unix_datagram.message.py")),
        ..SEND
    },
    Escape {
        id: "network/unix-datagram.connected",
        summary: "Connect a datagram socket to a Unix socket outside and write to it as to a file",
        witnesses: &["seccomp/connect", "seccomp/socket"],
        native: Some(|scene| {
            let sender = UnixDatagram::unbound()?;
            sender.connect(scene.path("unix-datagram")?)?;
            nix::unistd::write(&sender, scene.nonce().as_bytes())?;
            Ok(Vec::new())
        }),
        ..SEND
    },
];
