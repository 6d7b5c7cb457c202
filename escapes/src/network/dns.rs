//! Ask a name server, which carries whatever stands in the name.

use fixtures::watch::udp::UDP4;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;
use std::net::{Ipv4Addr, UdpSocket};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "network/dns",
    summary: "Ask a name server of this host for a name that carries a message",
    techniques: &["NT-DNS"],
    references: &[
        "https://attack.mitre.org/techniques/T1071/004/",
        "https://datatracker.ietf.org/doc/html/rfc1035",
    ],
    decoys: &[UDP4],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &[
        "seccomp/bind",
        "seccomp/sendto",
        "seccomp/socket",
        "hook/socket.*",
        "hook/socket.__new__",
    ],
    twin: Twin::SocketPair,
    native: Some(ask),
    python: Some(include_str!("dns.py")),
    ..Escape::BLANK
}];

/// One question for an A record (RFC 1035, section 4.1).
fn ask(scene: &Scene) -> io::Result<Vec<u8>> {
    let label = scene.nonce().as_bytes();
    let mut query = b"\x13\x37\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00".to_vec();
    query.push(label.len() as u8);
    query.extend(label);
    query.extend(b"\x07example\x00\x00\x01\x00\x01");
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.send_to(&query, (Ipv4Addr::LOCALHOST, scene.number("udp4")?))?;
    Ok(Vec::new())
}
