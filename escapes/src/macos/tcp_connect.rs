//! Connect to a service of this host: the macOS form of `network/tcp-connect`.

use crate::fs_write::effect::done;
use crate::raw_macos::connection;
use fixtures::watch::GIVE;
use fixtures::watch::tcp::{TCP4, TCP6};
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socket};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddrV4, TcpStream};
use std::os::fd::AsFd;

const CONNECT: Escape = Escape {
    techniques: &["NT-TCP4"],
    references: &["https://github.com/microsoft/mxc/issues/1013"],
    decoys: &[TCP4],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/tcp-connect",
        summary: "Connect to a TCP port of the IPv4 loopback and ask the service for its secret",
        native: Some(|scene| ask(Ipv4Addr::LOCALHOST.into(), scene.number("tcp4")?)),
        ..CONNECT
    },
    Escape {
        id: "macos/tcp-connect.v6",
        summary: "Connect to a TCP port of the IPv6 loopback and ask the service for its secret",
        techniques: &["NT-TCP6"],
        decoys: &[TCP6],
        native: Some(|scene| ask(Ipv6Addr::LOCALHOST.into(), scene.number("tcp6")?)),
        ..CONNECT
    },
    Escape {
        id: "macos/tcp-connect.at-once",
        summary: "Open a TCP connection by the call that sends, which is no call to connect",
        techniques: &["NT-TFO"],
        references: &["https://www.manpagez.com/man/2/connectx/"],
        native: Some(|scene| {
            let kind = SockType::Stream;
            let socket = socket(AddressFamily::Inet, kind, SockFlag::empty(), None)?;
            let service = SocketAddrV4::new(Ipv4Addr::LOCALHOST, scene.number("tcp4")?);
            done(connection::open(socket.as_fd(), service, scene.nonce().as_bytes()))
        }),
        ..CONNECT
    },
];

fn ask(address: IpAddr, port: u16) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect((address, port))?;
    stream.write_all(GIVE)?;
    stream.shutdown(Shutdown::Write)?;
    let mut loot = Vec::new();
    stream.read_to_end(&mut loot)?;
    Ok(loot)
}
