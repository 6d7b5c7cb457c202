//! Ask the kernel about the sockets of everybody: a netlink socket needs no address and no path.

use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::io::Errno;
use rustix::net::netlink::SOCK_DIAG;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with,
};
use std::ffi::OsString;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "network/netlink",
    summary: "List the Unix sockets of the host by netlink and read a secret in a name",
    techniques: &["NT-NETLINK"],
    references: &[
        "https://man7.org/linux/man-pages/man7/sock_diag.7.html",
        "https://github.com/openai/codex-security/pull/160",
    ],
    decoys: &[&Named],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Hook],
    witnesses: &["seccomp/socket", "hook/socket.__new__"],
    // A kernel without `CONFIG_UNIX_DIAG` knows no such question.
    absent: &[libc::ENOSYS, libc::EPROTONOSUPPORT, libc::ENOENT],
    twin: Twin::SocketPair,
    native: Some(list),
    python: Some(include_str!("netlink.py")),
    ..Escape::BLANK
}];

/// `nlmsghdr` for a dump by family, and `unix_diag_req` for the names of sockets in any state.
const QUESTION: [u32; 10] = [40, 0x0301_0014, 1, 0, libc::AF_UNIX as u32, u32::MAX, 0, 1, 0, 0];

/// Keeps only what stands beside the public name of this trial: other sockets are none of ours.
fn list(scene: &Scene) -> io::Result<Vec<u8>> {
    let flags = SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, Some(SOCK_DIAG))?;
    let question: Vec<u8> = QUESTION.iter().flat_map(|word| word.to_ne_bytes()).collect();
    send(&socket, &question, SendFlags::empty())?;
    let mut names = Vec::new();
    loop {
        let mut answer = vec![0; 1 << 16];
        let length = match recv(&socket, &mut answer, RecvFlags::DONTWAIT) {
            Ok((length, _whole)) => length,
            Err(Errno::AGAIN) => return Ok(names),
            Err(error) => return Err(error.into()),
        };
        answer.truncate(length);
        refusal(&answer)?;
        let nonce = scene.nonce().as_bytes();
        for place in answer.windows(nonce.len()).enumerate().filter(|(_, part)| *part == nonce) {
            names.extend(answer.iter().skip(place.0).take(64));
        }
    }
}

/// The errno in an answer of the type `NLMSG_ERROR`.
fn refusal(answer: &[u8]) -> io::Result<()> {
    const ERROR: u16 = 2;
    let Some((header, _)) = answer.split_first_chunk::<20>() else { return Ok(()) };
    let [_, _, _, _, k0, k1, .., e0, e1, e2, e3] = *header;
    match u16::from_ne_bytes([k0, k1]) {
        ERROR => Err(io::Error::from_raw_os_error(-i32::from_ne_bytes([e0, e1, e2, e3]))),
        _other => Ok(()),
    }
}

/// A service of another program under an abstract name that holds the token.
#[derive(Debug)]
struct Named;

impl Decoy for Named {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let name = format!("{}-{}", site.nonce, site.token);
        let address = SocketAddr::from_abstract_name(name)?;
        Ok(Box::new(Service(Some(UnixListener::bind_addr(&address)?))))
    }
}

#[derive(Debug)]
struct Service(Option<UnixListener>);

impl Placed for Service {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        Vec::new()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.0 = None;
        Vec::new()
    }
}
