//! Sockets by entries of an io_uring: neither socket nor connect nor sendmsg is called, so a filter
//! that refuses those is never asked.

use super::answer;
use crate::raw;
use crate::ring::operation::{ACCEPT, BIND, CONNECT, LISTEN, SENDMSG, SOCKET};
use crate::ring::{NO_RINGS, NO_SUCH_ENTRY, Ring};
use fixtures::watch::serve::SERVE;
use fixtures::watch::tcp::TCP4;
use fixtures::watch::udp::UDP4;
use fixtures::watch::unix::{UNIX_DATAGRAM, UNIX_STREAM};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::socket::{SockaddrIn, SockaddrLike, UnixAddr};
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::{AsRawFd, OwnedFd};

const RING: Escape = Escape {
    techniques: &["NT-IOURINGSOCK"],
    references: &[
        "https://github.com/moby/moby/pull/39415",
        "https://github.com/x0rw/restrict/issues/10",
        "https://man7.org/linux/man-pages/man7/io_uring.7.html",
    ],
    absent: NO_RINGS,
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/io-uring-socket",
        summary: "Connect to a TCP port by entries of an io_uring",
        decoys: &[TCP4],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["landlock/connect-tcp", "seccomp/io_uring_enter", "seccomp/io_uring_setup"],
        native: Some(|scene| {
            let service = SocketAddrV4::new(Ipv4Addr::LOCALHOST, scene.number("tcp4")?);
            connect(libc::AF_INET, &SockaddrIn::from(service), b"give\n")
        }),
        ..RING
    },
    Escape {
        id: "network/io-uring-socket.unix",
        summary: "Connect to a Unix socket outside by entries of an io_uring",
        decoys: &[UNIX_STREAM],
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["seccomp/io_uring_enter", "seccomp/io_uring_setup"],
        native: Some(|scene| {
            connect(libc::AF_UNIX, &UnixAddr::new(&scene.path("unix-stream")?)?, b"give\n")
        }),
        ..RING
    },
    Escape {
        id: "network/io-uring-socket.datagram",
        summary: "Send a datagram to a Unix socket outside by entries of an io_uring",
        decoys: &[UNIX_DATAGRAM],
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["seccomp/io_uring_enter", "seccomp/io_uring_setup"],
        native: Some(|scene| {
            let service = UnixAddr::new(&scene.path("unix-datagram")?)?;
            send(scene, libc::AF_UNIX, &service)
        }),
        ..RING
    },
    Escape {
        id: "network/io-uring-socket.udp",
        summary: "Send a datagram to a UDP port by entries of an io_uring",
        decoys: &[UDP4],
        stops: &[Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["seccomp/io_uring_enter", "seccomp/io_uring_setup"],
        native: Some(|scene| {
            let service = SocketAddrV4::new(Ipv4Addr::LOCALHOST, scene.number("udp4")?);
            send(scene, libc::AF_INET, &SockaddrIn::from(service))
        }),
        ..RING
    },
    Escape {
        id: "network/io-uring-socket.serve",
        summary: "Serve a TCP port by entries of an io_uring",
        decoys: &[SERVE],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["landlock/bind-tcp", "seccomp/io_uring_enter", "seccomp/io_uring_setup"],
        // Entries that bind and listen came with Linux 6.11.
        absent: NO_SUCH_ENTRY,
        native: Some(serve),
        ..RING
    },
];

/// The entry names the family in the place of a descriptor and the kind in that of an offset.
fn socket(ring: &mut Ring, family: i32, kind: i32) -> io::Result<OwnedFd> {
    Ok(raw::adopt(ring.perform([SOCKET, family as u32], kind as u64, 0, 0)?))
}

fn connect(family: i32, address: &impl SockaddrLike, message: &[u8]) -> io::Result<Vec<u8>> {
    let mut ring = Ring::new()?;
    let socket = socket(&mut ring, family, libc::SOCK_STREAM)?;
    let number = socket.as_raw_fd() as u32;
    ring.perform([CONNECT, number], address.len().into(), address.as_ptr() as u64, 0)?;
    ring.write(&socket, message)?;
    ring.read(&socket, 64)
}

/// `struct msghdr` in words: name and its length, one `struct iovec` and its number, no control data,
/// no flags.
fn send(scene: &Scene, family: i32, address: &impl SockaddrLike) -> io::Result<Vec<u8>> {
    let mut ring = Ring::new()?;
    let socket = socket(&mut ring, family, libc::SOCK_DGRAM)?;
    let message = scene.nonce().as_bytes();
    let part = [message.as_ptr() as u64, message.len() as u64];
    let (name, length) = (address.as_ptr() as u64, u64::from(address.len()));
    let header = [name, length, part.as_ptr() as u64, 1, 0, 0, 0];
    ring.perform([SENDMSG, socket.as_raw_fd() as u32], 0, header.as_ptr() as u64, 1)?;
    Ok(Vec::new())
}

/// The address of an entry that binds has its length in the place of the offset, as that of a connect.
fn serve(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut ring = Ring::new()?;
    let socket = socket(&mut ring, libc::AF_INET, libc::SOCK_STREAM)?;
    let number = socket.as_raw_fd() as u32;
    let address = SockaddrIn::from(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0));
    ring.perform([BIND, number], address.len().into(), address.as_ptr() as u64, 0)?;
    ring.perform([LISTEN, number], 0, 0, 1)?;
    let listener = TcpListener::from(socket);
    let claim = format!("tcp4 {}", listener.local_addr()?.port());
    answer::call(scene, &claim, move || {
        let caller = ring.perform([ACCEPT, listener.as_raw_fd() as u32], 0, 0, 0)?;
        Ok(TcpStream::from(raw::adopt(caller)))
    })
}
