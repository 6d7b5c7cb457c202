//! Reach a service of this machine by a socket of virtual machines, which has no address of any
//! network and so no network namespace on most kernels.

use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use fixtures::watch::vsock::VSOCK;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, VsockAddr, bind, connect, socket};
use std::ffi::OsString;
use std::io;
use std::os::fd::AsRawFd;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "network/vsock",
    summary: "Connect to a service of this machine by a virtual-machine socket",
    techniques: &["NT-VSOCK"],
    references: &[
        "https://man7.org/linux/man-pages/man7/vsock.7.html",
        "https://github.com/moby/moby/pull/44562",
    ],
    decoys: &[&VsockIfThere],
    stops: &[Layer::Seccomp, Layer::Hook],
    witnesses: &["seccomp/socket"],
    // No such family, or no transport that leads back to this machine.
    absent: &[libc::ENOSYS, libc::EAFNOSUPPORT, libc::ENODEV, libc::EADDRNOTAVAIL],
    twin: Twin::SocketPair,
    native: Some(reach),
    python: Some(include_str!("vsock.py")),
    ..Escape::BLANK
}];

/// `VMADDR_CID_LOCAL`: this machine itself.
const LOCAL: u32 = 1;
/// `VMADDR_PORT_ANY`.
const ANY_PORT: u32 = u32::MAX;

/// The bind tells at once whether there is a way back to this machine; a connect would wait.
fn reach(scene: &Scene) -> io::Result<Vec<u8>> {
    let socket = socket(AddressFamily::Vsock, SockType::Stream, SockFlag::SOCK_CLOEXEC, None)?;
    bind(socket.as_raw_fd(), &VsockAddr::new(LOCAL, ANY_PORT))?;
    connect(socket.as_raw_fd(), &VsockAddr::new(LOCAL, scene.number("vsock")?))?;
    nix::unistd::write(&socket, scene.nonce().as_bytes())?;
    Ok(Vec::new())
}

/// The listener where it can stand. Where it cannot, the control's own errno proves the absence.
#[derive(Debug)]
struct VsockIfThere;

impl Decoy for VsockIfThere {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(VSOCK.place(site).unwrap_or_else(|_absent| Box::new(Nothing)))
    }
}

#[derive(Debug)]
struct Nothing;

impl Placed for Nothing {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("vsock", "0".into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        Vec::new()
    }
}
