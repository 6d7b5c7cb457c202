//! System calls of the x32 kind: 64-bit ones with bit 30 in the number. They come with the ordinary
//! architecture, so only a filter that looks at the number as a whole refuses them.

use crate::native_code::acts::{loopback, read};
use crate::raw;
use fixtures::watch::udp::UDP4;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

/// `__X32_SYSCALL_BIT` of unistd.h.
const X32: i64 = 0x4000_0000;

const BIT_30: Escape = Escape {
    techniques: &["SC-X32"],
    references: &[
        "https://github.com/netblue30/firejail/issues/87",
        "https://github.com/google/kafel/issues/19",
        "https://man7.org/linux/man-pages/man2/seccomp.2.html",
    ],
    needs: &[Need::Linux, Need::Architecture("x86_64")],
    twin: Twin::Memory,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "layer/x32",
        summary: "Read a secret by x32 system calls",
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        witnesses: &["seccomp/x32"],
        native: Some(|scene| read(scene, call)),
        ..BIT_30
    },
    Escape {
        id: "layer/x32.datagram",
        summary: "Send a datagram by x32 system calls",
        decoys: &[UDP4],
        stops: &[Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["seccomp/x32"],
        native: Some(datagram),
        ..BIT_30
    },
];

fn call(_scene: &Scene, number: i64, arguments: [usize; 6]) -> io::Result<i64> {
    raw::call(number | X32, arguments)
}

fn datagram(scene: &Scene) -> io::Result<Vec<u8>> {
    let (family, kind) = (libc::AF_INET as usize, libc::SOCK_DGRAM as usize);
    let socket = call(scene, libc::SYS_socket, [family, kind, 0, 0, 0, 0])? as usize;
    let address = loopback(scene.number("udp4")?);
    let (place, length) = (address.as_ptr() as usize, address.len());
    call(scene, libc::SYS_sendto, [socket, place, length, 0, place, length])?;
    Ok(Vec::new())
}
