//! Packets below every transport: read what others send, and send what no socket of a transport would.

use super::wire::WIRE;
use crate::raw;
use fixtures::watch::held::HELD_SOCKET;
use fixtures::watch::udp::{UDP4, UDP6};
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, Protocol, RecvFlags, SendFlags, SocketFlags, SocketType, bind, eth, ipproto,
    recv, sendto, socket_with,
};
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

const PACKET: Escape = Escape {
    techniques: &["NT-RAWPACKET"],
    references: &[
        "https://man7.org/linux/man-pages/man7/packet.7.html",
        "https://github.com/openai/codex-security/pull/160",
    ],
    needs: &[Need::Capability(13, "CAP_NET_RAW")],
    stops: &[Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace, Layer::OtherNamespace],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/raw-packet",
        summary: "Read the packets of other programs on the loopback by a packet socket",
        decoys: &[WIRE],
        stops: &[
            Layer::Seccomp,
            Layer::Hygiene,
            Layer::MountNamespace,
            Layer::OtherNamespace,
            Layer::Hook,
        ],
        witnesses: &[
            "hygiene/capabilities",
            "seccomp/bind",
            "seccomp/ioctl",
            "seccomp/setsockopt",
            "seccomp/socket",
        ],
        native: Some(|scene| {
            // Without a protocol it hears nothing until it is bound to the one device.
            let socket = socket_with(AddressFamily::PACKET, SocketType::DGRAM, CLOEXEC, None)?;
            on_loopback(libc::SYS_bind, &socket, eth::ALL, &[])?;
            sniff(scene, &socket)
        }),
        python: Some(include_str!("raw_packet.py")),
        ..PACKET
    },
    Escape {
        id: "network/raw-packet.copies",
        summary: "Read copies of other programs' datagrams by a raw IPv4 socket",
        references: &["https://man7.org/linux/man-pages/man7/raw.7.html"],
        decoys: &[WIRE],
        witnesses: &[
            "hygiene/capabilities",
            "seccomp/bind",
            "seccomp/setsockopt",
            "seccomp/socket",
        ],
        native: Some(|scene| {
            let socket = open(AddressFamily::INET, SocketType::RAW, ipproto::UDP)?;
            bind(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0))?;
            sniff(scene, &socket)
        }),
        ..PACKET
    },
    Escape {
        id: "network/raw-packet.send",
        summary: "Send a hand-made datagram by a raw IPv4 socket",
        references: &["https://man7.org/linux/man-pages/man7/raw.7.html"],
        decoys: &[UDP4],
        witnesses: &["hygiene/capabilities", "seccomp/sendto", "seccomp/socket"],
        native: Some(|scene| {
            let port = scene.number("udp4")?;
            let socket = open(AddressFamily::INET, SocketType::RAW, ipproto::UDP)?;
            let address = SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0);
            sendto(&socket, &datagram(scene, port), SendFlags::empty(), &address)?;
            Ok(Vec::new())
        }),
        ..PACKET
    },
    Escape {
        id: "network/raw-packet.echo",
        summary: "Open a socket that sends ICMP echo requests without any capability",
        references: &["https://man7.org/linux/man-pages/man7/icmp.7.html"],
        decoys: &[HELD_SOCKET],
        needs: &[],
        stops: &[Layer::Seccomp],
        witnesses: &["seccomp/socket"],
        // The host lets no group have one (net.ipv4.ping_group_range).
        absent: &[libc::ENOSYS, libc::EACCES],
        native: Some(|scene| {
            let _socket = open(AddressFamily::INET, SocketType::DGRAM, ipproto::ICMP)?;
            scene.show(&format!("socket {}", AddressFamily::INET.as_raw()))?;
            Ok(Vec::new())
        }),
        ..PACKET
    },
    Escape {
        id: "network/raw-packet.frame",
        summary: "Send a hand-made frame by a packet socket on the loopback device",
        decoys: &[UDP6],
        witnesses: &["hygiene/capabilities", "seccomp/ioctl", "seccomp/sendto", "seccomp/socket"],
        native: Some(frame),
        ..PACKET
    },
];

const CLOEXEC: SocketFlags = SocketFlags::CLOEXEC;

fn open(family: AddressFamily, kind: SocketType, protocol: Protocol) -> io::Result<OwnedFd> {
    Ok(socket_with(family, kind, CLOEXEC, Some(protocol))?)
}

/// Takes the packet that bears the public name of this trial: others are none of ours.
fn sniff(scene: &Scene, socket: &OwnedFd) -> io::Result<Vec<u8>> {
    scene.show("wire")?;
    set_socket_timeout(socket, Timeout::Recv, Some(Duration::from_secs(1)))?;
    let nonce = scene.nonce().as_bytes();
    loop {
        let mut packet = vec![0; 2048];
        recv(socket, &mut packet, RecvFlags::empty())?;
        if packet.windows(nonce.len()).any(|part| part == nonce) {
            return Ok(packet);
        }
    }
}

/// A UDP header without a checksum, which IPv4 allows (RFC 768), and the public name.
fn datagram(scene: &Scene, port: u16) -> Vec<u8> {
    let message = scene.nonce().as_bytes();
    let mut datagram = Vec::new();
    for half in [port, port, 8 + message.len() as u16, 0] {
        datagram.extend(half.to_be_bytes());
    }
    datagram.extend(message);
    datagram
}

/// An Ethernet header between two empty addresses, an IPv6 header from the loopback to itself (RFC
/// 8200) and the datagram, which needs a checksum there.
fn frame(scene: &Scene) -> io::Result<Vec<u8>> {
    const IPV6: u16 = 0x86dd;
    const UDP: u16 = 17;
    let mut datagram = datagram(scene, scene.number("udp6")?);
    let length = datagram.len() as u16;
    let addresses = [0, 0, 0, 0, 0, 0, 0, 1].repeat(2);
    let halves = datagram.chunks(2).map(|pair| match *pair {
        [high, low] => u16::from_be_bytes([high, low]),
        [high] => u16::from_be_bytes([high, 0]),
        _ => 0,
    });
    let sum: u32 =
        halves.chain(addresses.iter().copied()).chain([length, UDP]).map(u32::from).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    let checksum = !(((folded & 0xffff) + (folded >> 16)) as u16);
    datagram[6..8].copy_from_slice(&checksum.to_be_bytes());
    let mut frame = vec![0; 12];
    let headers = [IPV6, 0x6000, 0, length, UDP << 8 | 64];
    frame.extend(headers.iter().chain(&addresses).flat_map(|half| half.to_be_bytes()));
    frame.extend(datagram);
    let socket = open(AddressFamily::PACKET, SocketType::RAW, eth::IPV6)?;
    on_loopback(libc::SYS_sendto, &socket, eth::IPV6, &frame)
}

/// Binds to the loopback device or sends a frame there.
fn on_loopback(
    call: i64,
    socket: &OwnedFd,
    protocol: Protocol,
    frame: &[u8],
) -> io::Result<Vec<u8>> {
    // `sockaddr_ll`: family, protocol (in the order of the network, as the constant is) and index of
    // the device count, the rest may be zero.
    let device = nix::net::if_::if_nametoindex("lo")?;
    let mut address = [0; 20];
    address[..2].copy_from_slice(&(libc::AF_PACKET as u16).to_ne_bytes());
    address[2..4].copy_from_slice(&(protocol.as_raw().get() as u16).to_ne_bytes());
    address[4..8].copy_from_slice(&device.to_ne_bytes());
    let (socket, address, length) = (socket.as_raw_fd() as usize, address.as_ptr() as usize, 20);
    let arguments = match call {
        libc::SYS_bind => [socket, address, length, 0, 0, 0],
        _send => [socket, frame.as_ptr() as usize, frame.len(), 0, address, length],
    };
    raw::call(call, arguments).map(|_sent| Vec::new())
}
