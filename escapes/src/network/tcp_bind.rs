//! Serve a TCP port of this host.

use super::answer;
use fixtures::watch::serve::SERVE;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::socket::{AddressFamily, Backlog, SockFlag, SockType, listen, socket};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};

const SERVED: Escape = Escape {
    techniques: &["NT-TCPBIND"],
    references: &["https://man7.org/linux/man-pages/man7/landlock.7.html", "CWE-1327"],
    decoys: &[SERVE],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/tcp-bind",
        summary: "Serve a TCP port of the IPv4 loopback",
        witnesses: &[
            "landlock/bind-tcp",
            "seccomp/accept4",
            "seccomp/bind",
            "seccomp/listen",
            "seccomp/setsockopt",
            "seccomp/socket",
            "hook/socket.*",
            "hook/socket.__new__",
        ],
        native: Some(|scene| serve(scene, "tcp4", TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?)),
        python: Some(concat!(include_str!("answer.py"), include_str!("tcp_bind.py"))),
        ..SERVED
    },
    Escape {
        id: "network/tcp-bind.v6",
        summary: "Serve a TCP port of the IPv6 loopback",
        witnesses: &[
            "landlock/bind-tcp",
            "seccomp/accept4",
            "seccomp/bind",
            "seccomp/listen",
            "seccomp/setsockopt",
            "seccomp/socket",
        ],
        native: Some(|scene| serve(scene, "tcp6", TcpListener::bind((Ipv6Addr::LOCALHOST, 0))?)),
        ..SERVED
    },
    Escape {
        id: "network/tcp-bind.unbound",
        summary: "Serve a TCP port that listen chose, without a call to bind",
        references: &[
            "https://man7.org/linux/man-pages/man2/listen.2.html",
            "https://github.com/landlock-lsm/linux/issues/15",
        ],
        stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/accept4", "seccomp/listen", "seccomp/socket", "hook/socket.__new__"],
        native: Some(|scene| {
            let socket = socket(AddressFamily::Inet, SockType::Stream, FLAGS, None)?;
            listen(&socket, Backlog::new(1)?)?;
            serve(scene, "tcp4", socket.into())
        }),
        python: Some(concat!(include_str!("answer.py"), include_str!("tcp_bind.unbound.py"))),
        ..SERVED
    },
];

#[cfg(target_os = "linux")]
const FLAGS: SockFlag = SockFlag::SOCK_CLOEXEC;
#[cfg(target_os = "macos")]
const FLAGS: SockFlag = SockFlag::empty();

fn serve(scene: &Scene, family: &str, listener: TcpListener) -> io::Result<Vec<u8>> {
    let port = listener.local_addr()?.port();
    answer::call(scene, &format!("{family} {port}"), move || Ok(listener.accept()?.0))
}
