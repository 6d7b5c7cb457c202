//! Serve a UDP port of this host.

use fixtures::watch::serve::SERVE;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::thread;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "network/udp-bind",
    summary: "Serve a UDP port of the IPv4 loopback",
    techniques: &["NT-UDP"],
    references: &[
        "https://man7.org/linux/man-pages/man7/udp.7.html",
        "https://github.com/landlock-lsm/linux/issues/10",
    ],
    decoys: &[SERVE],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &[
        "seccomp/bind",
        "seccomp/sendto",
        "seccomp/socket",
        "hook/socket.*",
        "hook/socket.__new__",
    ],
    twin: Twin::SocketPair,
    native: Some(serve),
    python: Some(include_str!("udp_bind.py")),
    ..Escape::BLANK
}];

fn serve(scene: &Scene) -> io::Result<Vec<u8>> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    let place = format!("udp4 {}", socket.local_addr()?.port());
    let nonce = scene.nonce().to_owned();
    thread::Builder::new().spawn(move || -> io::Result<usize> {
        let (_length, caller) = socket.recv_from(&mut [0; 64])?;
        socket.send_to(nonce.as_bytes(), caller)
    })?;
    scene.show(&place)?;
    Ok(Vec::new())
}
