//! Reach a Unix socket by its abstract name, which no file system and no mount namespace hides.

use super::service;
use fixtures::watch::abstract_name::{ABSTRACT_DATAGRAM, ABSTRACT_STREAM};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

const REACH: Escape = Escape {
    techniques: &["NT-UNIXABSTRACT"],
    references: &[
        "https://man7.org/linux/man-pages/man7/unix.7.html",
        "https://github.com/nolabs-ai/nono/issues/207",
    ],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace, Layer::Hook],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/unix-abstract",
        summary: "Ask a service under an abstract name to read the secret for us",
        decoys: &[ABSTRACT_STREAM],
        witnesses: &[
            "landlock/scope-abstract-unix-socket",
            "seccomp/connect",
            "seccomp/socket",
            "hook/socket.*",
        ],
        native: Some(|scene| service::ask(service::by_name(scene)?)),
        python: Some(include_str!("unix_abstract.py")),
        ..REACH
    },
    Escape {
        id: "network/unix-abstract.datagram",
        summary: "Send a datagram to an abstract name",
        decoys: &[ABSTRACT_DATAGRAM],
        witnesses: &[
            "landlock/scope-abstract-unix-socket",
            "seccomp/sendto",
            "seccomp/socket",
            "hook/socket.*",
            "hook/socket.__new__",
        ],
        native: Some(|scene| send(scene, &UnixDatagram::unbound()?)),
        python: Some(include_str!("unix_abstract.datagram.py")),
        ..REACH
    },
    Escape {
        id: "network/unix-abstract.pair",
        summary: "Address one of a pair of datagram sockets to an abstract name",
        decoys: &[ABSTRACT_DATAGRAM],
        witnesses: &["landlock/scope-abstract-unix-socket", "seccomp/sendto", "seccomp/socketpair"],
        native: Some(|scene| send(scene, &UnixDatagram::pair()?.0)),
        ..REACH
    },
];

fn send(scene: &Scene, sender: &UnixDatagram) -> io::Result<Vec<u8>> {
    let address = SocketAddr::from_abstract_name(scene.text("abstract-datagram")?)?;
    sender.send_to_addr(scene.nonce().as_bytes(), &address)?;
    Ok(Vec::new())
}
