//! Transports that are neither TCP nor UDP, and decoys that serve them where the kernel has them.

use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, Protocol, RecvFlags, SocketFlags, SocketType, accept, bind, getsockname,
    ipproto, listen, recv, socket_with,
};
use std::ffi::OsString;
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::OwnedFd;

/// A transport over IPv4.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transport {
    kind: SocketType,
    protocol: Protocol,
}

pub(super) const MPTCP: Transport =
    Transport { kind: SocketType::STREAM, protocol: ipproto::MPTCP };
pub(super) const SCTP: Transport = Transport { kind: SocketType::STREAM, protocol: ipproto::SCTP };
/// Its sockets are of the kind `SOCK_DCCP`.
pub(super) const DCCP: Transport =
    Transport { kind: SocketType::from_raw(6), protocol: ipproto::DCCP };
pub(super) const UDP_LITE: Transport =
    Transport { kind: SocketType::DGRAM, protocol: ipproto::UDPLITE };
/// `AF_SMC`, which has addresses of IPv4.
pub(super) const SMC: AddressFamily = AddressFamily::from_raw(43);

/// What says that a kernel has no such transport.
pub(super) const ABSENT: &[i32] = &[
    libc::ENOSYS,
    libc::EAFNOSUPPORT,
    libc::EPROTONOSUPPORT,
    libc::ESOCKTNOSUPPORT,
    libc::ENOPROTOOPT,
];

impl Transport {
    /// The clue that holds the port of the decoy.
    pub(super) const CLUE: &'static str = "port";

    pub(super) fn socket(self) -> io::Result<OwnedFd> {
        let flags = SocketFlags::CLOEXEC;
        Ok(socket_with(AddressFamily::INET, self.kind, flags, Some(self.protocol))?)
    }
}

impl Decoy for Transport {
    /// A kernel without the transport gets no listener: the control's own errno proves the absence.
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let socket = match self.socket() {
            Err(error) if error.raw_os_error().is_some_and(|errno| ABSENT.contains(&errno)) => None,
            socket => Some(socket?),
        };
        let mut port = 0;
        if let Some(socket) = &socket {
            bind(socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0))?;
            port = SocketAddrV4::try_from(getsockname(socket)?)?.port();
            if self.kind != SocketType::DGRAM {
                listen(socket, 8)?;
            }
            rustix::io::ioctl_fionbio(socket, true)?;
        }
        Ok(Box::new(Service { transport: *self, socket, port }))
    }
}

#[derive(Debug)]
struct Service {
    transport: Transport,
    socket: Option<OwnedFd>,
    port: u16,
}

impl Placed for Service {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![(Transport::CLUE, self.port.to_string().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let Some(socket) = &self.socket else { return Ok(Vec::new()) };
        let called = match self.transport.kind {
            SocketType::DGRAM => recv(socket, &mut [0; 64], RecvFlags::empty()).map(|_bytes| ()),
            _stream => accept(socket).map(|_caller| ()),
        };
        match called {
            Ok(()) => {
                let detail = format!("{:?} was contacted", self.transport);
                Ok(vec![Evidence { kind: EvidenceKind::Contacted, detail }])
            }
            Err(Errno::AGAIN) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    fn sweep(&mut self) -> Vec<String> {
        self.socket = None;
        Vec::new()
    }
}
