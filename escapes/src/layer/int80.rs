//! System calls of the 32-bit kind, made by `int 0x80` from a 64-bit program. They have numbers of
//! their own: a filter that does not look at the architecture takes them for others.

use fixtures::watch::process::MARKER;
use fixtures::watch::udp::UDP4;
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;

const INTERRUPT: Escape = Escape {
    techniques: &["SC-INT80"],
    references: &[
        "https://github.com/gramineproject/graphene/pull/89",
        "https://github.com/google/kafel/issues/19",
        "https://github.com/19h/morok/issues/45",
    ],
    needs: &[Need::Linux, Need::Architecture("x86_64")],
    twin: Twin::Memory,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "layer/int80",
        summary: "Read a secret by 32-bit system calls",
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
        #[cfg(target_arch = "x86_64")]
        witnesses: &["landlock/read-file", "seccomp/architecture"],
        native: Some(act::read),
        ..INTERRUPT
    },
    Escape {
        id: "layer/int80.datagram",
        summary: "Send a datagram by 32-bit system calls",
        decoys: &[UDP4],
        stops: &[Layer::Seccomp, Layer::OtherNamespace],
        #[cfg(target_arch = "x86_64")]
        witnesses: &["seccomp/architecture"],
        native: Some(act::datagram),
        ..INTERRUPT
    },
    Escape {
        id: "layer/int80.spawn",
        summary: "Start a process by the 32-bit fork",
        decoys: &[MARKER],
        stops: &[Layer::Seccomp],
        #[cfg(target_arch = "x86_64")]
        witnesses: &["seccomp/architecture"],
        native: Some(act::spawn),
        ..INTERRUPT
    },
    Escape {
        id: "layer/int80.mode",
        summary: "Change the mode of a file outside by the 32-bit chmod",
        stops: &[Layer::Seccomp, Layer::MountNamespace],
        #[cfg(target_arch = "x86_64")]
        witnesses: &["seccomp/architecture"],
        native: Some(act::mode),
        ..INTERRUPT
    },
];

/// The acts, for which only this architecture has the instruction.
#[cfg(target_arch = "x86_64")]
mod act {
    use crate::exec::marker;
    use crate::native_code::acts::loopback;
    use crate::raw::interrupt::{LowMemory, call_32};
    use harness::scene::Scene;
    use std::io;
    use std::os::unix::ffi::OsStrExt;

    // Numbers of unistd_32.h.
    const FORK: u32 = 2;
    const READ: u32 = 3;
    const OPEN: u32 = 5;
    const CHMOD: u32 = 15;
    const SOCKET: u32 = 359;
    const CONNECT: u32 = 362;
    const SEND_TO: u32 = 369;

    fn path(scene: &Scene, clue: &str) -> io::Result<LowMemory> {
        LowMemory::with(&[scene.clue(clue)?.as_bytes(), b"\0"].concat())
    }

    pub(super) fn read(scene: &Scene) -> io::Result<Vec<u8>> {
        let file = call_32(OPEN, [path(scene, "secret")?.address(), 0, 0, 0, 0])? as u32;
        let loot = LowMemory::with(b"")?;
        let length = call_32(READ, [file, loot.address(), 4096, 0, 0])?;
        let mut bytes = loot.bytes();
        bytes.truncate(length as usize);
        Ok(bytes)
    }

    /// The sixth argument of sendto, the length of the address, would go to a register that the compiler
    /// keeps. So the socket is connected first.
    pub(super) fn datagram(scene: &Scene) -> io::Result<Vec<u8>> {
        let socket =
            call_32(SOCKET, [libc::AF_INET as u32, libc::SOCK_DGRAM as u32, 0, 0, 0])? as u32;
        let address = loopback(scene.number("udp4")?);
        let low = LowMemory::with(&address)?;
        call_32(CONNECT, [socket, low.address(), address.len() as u32, 0, 0])?;
        let message = LowMemory::with(b"from the 32-bit side")?;
        call_32(SEND_TO, [socket, message.address(), 20, 0, 0])?;
        Ok(Vec::new())
    }

    pub(super) fn spawn(scene: &Scene) -> io::Result<Vec<u8>> {
        marker::second(scene, || Ok(call_32(FORK, [0; 5])? as i32))
    }

    pub(super) fn mode(scene: &Scene) -> io::Result<Vec<u8>> {
        call_32(CHMOD, [path(scene, "writable")?.address(), 0o640, 0, 0, 0])?;
        Ok(Vec::new())
    }
}
