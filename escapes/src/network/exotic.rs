//! Open a socket of a family that no honest program here needs: each is kernel code that the program
//! would reach, and asking for some of them loads a module.

use fixtures::watch::held::HELD_SOCKET;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::net::{AddressFamily, Protocol, SocketFlags, SocketType, socket_with};
use std::io;

const OPEN: Escape = Escape {
    techniques: &["NT-EXOTIC"],
    references: &[
        "https://man7.org/linux/man-pages/man2/socket.2.html",
        "https://github.com/openai/codex-security/pull/160",
    ],
    decoys: &[HELD_SOCKET],
    stops: &[Layer::Seccomp],
    absent: &[libc::ENOSYS, libc::EAFNOSUPPORT, libc::EPROTONOSUPPORT, libc::ESOCKTNOSUPPORT],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/exotic",
        summary: "Open a socket to the cryptography of the kernel (AF_ALG)",
        references: &["https://docs.kernel.org/crypto/userspace-if.html"],
        witnesses: &["seccomp/socket"],
        native: Some(|scene| open(scene, libc::AF_ALG, SocketType::SEQPACKET, None)),
        ..OPEN
    },
    Escape {
        id: "network/exotic.vsock",
        summary: "Open a socket of virtual machines (AF_VSOCK)",
        references: &["https://man7.org/linux/man-pages/man7/vsock.7.html"],
        stops: &[Layer::Seccomp, Layer::Hook],
        witnesses: &["seccomp/socket", "hook/socket.__new__"],
        native: Some(|scene| open(scene, libc::AF_VSOCK, SocketType::STREAM, None)),
        python: Some(include_str!("exotic.vsock.py")),
        ..OPEN
    },
    Escape {
        id: "network/exotic.bluetooth",
        summary: "Open a socket of Bluetooth",
        witnesses: &["seccomp/socket"],
        native: Some(|scene| open(scene, libc::AF_BLUETOOTH, SocketType::RAW, Some(1))),
        ..OPEN
    },
    Escape {
        id: "network/exotic.can",
        summary: "Open a socket of controller area networks (AF_CAN)",
        references: &["https://docs.kernel.org/networking/can.html"],
        witnesses: &["seccomp/socket"],
        native: Some(|scene| open(scene, libc::AF_CAN, SocketType::RAW, Some(1))),
        ..OPEN
    },
    Escape {
        id: "network/exotic.tipc",
        summary: "Open a socket of cluster communication (AF_TIPC)",
        references: &["https://nvd.nist.gov/vuln/detail/CVE-2021-43267"],
        witnesses: &["seccomp/socket"],
        native: Some(|scene| open(scene, libc::AF_TIPC, SocketType::STREAM, None)),
        ..OPEN
    },
    Escape {
        id: "network/exotic.rds",
        summary: "Open a socket of reliable datagrams (AF_RDS)",
        references: &["https://nvd.nist.gov/vuln/detail/CVE-2010-3904"],
        witnesses: &["seccomp/socket"],
        native: Some(|scene| open(scene, libc::AF_RDS, SocketType::SEQPACKET, None)),
        ..OPEN
    },
    Escape {
        id: "network/exotic.key",
        summary: "Open a socket to the keys of IPsec (AF_KEY)",
        needs: &[Need::Capability(12, "CAP_NET_ADMIN")],
        stops: &[Layer::Seccomp, Layer::Hygiene],
        witnesses: &["hygiene/capabilities", "seccomp/socket"],
        native: Some(|scene| open(scene, libc::AF_KEY, SocketType::RAW, Some(2))),
        ..OPEN
    },
    Escape {
        id: "network/exotic.express",
        summary: "Open a socket that bypasses the stack of protocols (AF_XDP)",
        references: &["https://docs.kernel.org/networking/af_xdp.html"],
        needs: &[Need::Capability(13, "CAP_NET_RAW")],
        stops: &[Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
        witnesses: &["hygiene/capabilities", "seccomp/socket"],
        native: Some(|scene| open(scene, libc::AF_XDP, SocketType::RAW, None)),
        ..OPEN
    },
];

fn open(
    scene: &Scene,
    family: i32,
    kind: SocketType,
    protocol: Option<u32>,
) -> io::Result<Vec<u8>> {
    let protocol = protocol.and_then(std::num::NonZero::new).map(Protocol::from_raw);
    let family = AddressFamily::from_raw(family as u16);
    let _socket = socket_with(family, kind, SocketFlags::CLOEXEC, protocol)?;
    scene.show(&format!("socket {}", family.as_raw()))?;
    Ok(Vec::new())
}
