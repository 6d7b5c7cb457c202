//! Connect to a Unix socket outside by its path: the way to every broker of a host (D-Bus, a container
//! engine, an agent of keys).

use super::service;
#[cfg(target_os = "linux")]
use crate::own_names;
#[cfg(target_os = "linux")]
use fixtures::watch::unix::UNIX_SEQPACKET;
use fixtures::watch::unix::UNIX_STREAM;
use harness::escape::{Escape, Layer};
#[cfg(target_os = "linux")]
use harness::scene::Scene;
use harness::twin::Twin;
#[cfg(target_os = "linux")]
use rustix::fs::{Mode, OFlags};
#[cfg(target_os = "linux")]
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketFlags, SocketType, connect, recv,
    send, socket_with,
};
use std::io;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixStream;
use std::path::Path;

const CONNECT: Escape = Escape {
    techniques: &["NT-UNIXPATH"],
    references: &[
        "https://man7.org/linux/man-pages/man7/unix.7.html",
        "https://github.com/Zouuup/landrun/issues/43",
        "https://github.com/eugene1g/agent-safehouse/issues/19",
    ],
    decoys: &[UNIX_STREAM],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/unix-path",
        summary: "Ask a service on a Unix socket outside to read the secret for us",
        witnesses: &["seccomp/connect", "seccomp/socket", "hook/socket.*"],
        native: Some(|scene| service::ask(service::at_path(scene)?)),
        python: Some(include_str!("unix_path.py")),
        ..CONNECT
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "network/unix-path.seqpacket",
        summary: "Ask a service on a Unix socket of packets to read the secret for us",
        decoys: &[UNIX_SEQPACKET],
        witnesses: &["seccomp/connect", "seccomp/socket", "hook/socket.*", "hook/socket.__new__"],
        native: Some(seqpacket),
        python: Some(include_str!("unix_path.seqpacket.py")),
        ..CONNECT
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "network/unix-path.descriptor",
        summary: "Connect to a Unix socket by the /proc name of a descriptor, which is another path",
        witnesses: &["seccomp/connect", "seccomp/socket"],
        native: Some(|scene| {
            let socket = rustix::fs::open(scene.path("unix-stream")?, OFlags::PATH, Mode::empty())?;
            ask(&own_names::of_descriptor(&socket))
        }),
        ..CONNECT
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "network/unix-path.root",
        summary: "Connect to a Unix socket outside by the root of the own process",
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["seccomp/connect", "seccomp/socket"],
        native: Some(|scene| ask(&own_names::by_root(&scene.path("unix-stream")?))),
        ..CONNECT
    },
    Escape {
        id: "network/unix-path.link",
        summary: "Connect to a Unix socket outside through an own symbolic link that names it",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["seccomp/connect", "seccomp/socket"],
        native: Some(|scene| {
            let link = scene.run().join("door");
            symlink(scene.path("unix-stream")?, &link)?;
            ask(&link)
        }),
        ..CONNECT
    },
];

fn ask(path: &Path) -> io::Result<Vec<u8>> {
    service::ask(UnixStream::connect(path)?)
}

#[cfg(target_os = "linux")]
fn seqpacket(scene: &Scene) -> io::Result<Vec<u8>> {
    let (kind, flags) = (SocketType::SEQPACKET, SocketFlags::CLOEXEC);
    let socket = socket_with(AddressFamily::UNIX, kind, flags, None)?;
    connect(&socket, &SocketAddrUnix::new(scene.path("unix-seqpacket")?)?)?;
    send(&socket, b"give\n", SendFlags::empty())?;
    let mut secret = vec![0; 64];
    let (length, _whole) = recv(&socket, &mut secret, RecvFlags::empty())?;
    secret.truncate(length);
    Ok(secret)
}
