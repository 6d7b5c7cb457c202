//! Connect to a service of this host: the macOS form of `network/tcp-connect`.

use fixtures::watch::GIVE;
use fixtures::watch::tcp::{TCP4, TCP6};
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, TcpStream};

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
];

fn ask(address: IpAddr, port: u16) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect((address, port))?;
    stream.write_all(GIVE)?;
    stream.shutdown(Shutdown::Write)?;
    let mut loot = Vec::new();
    stream.read_to_end(&mut loot)?;
    Ok(loot)
}
