//! Send a datagram to a service of this host: the macOS form of `network/udp`.

use crate::fs_write::effect::done;
use fixtures::watch::udp::UDP4;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::net::{Ipv4Addr, UdpSocket};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/udp",
    summary: "Send a datagram to a UDP port of the IPv4 loopback",
    techniques: &["NT-UDP"],
    references: &["https://attack.mitre.org/techniques/T1048/"],
    decoys: &[UDP4],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    twin: Twin::SocketPair,
    native: Some(|scene| {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        let port: u16 = scene.number("udp4")?;
        done(socket.send_to(scene.nonce().as_bytes(), (Ipv4Addr::LOCALHOST, port)))
    }),
    ..Escape::BLANK
}];
