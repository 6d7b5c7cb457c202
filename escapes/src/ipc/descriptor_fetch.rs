//! Let a service outside pass a descriptor of the secret: the service opens it with its own rights, and
//! what was opened may be read by whoever holds it.

use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Program, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut, Read};
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::PathBuf;

const FETCH: Escape = Escape {
    techniques: &["NT-UNIXPATH"],
    references: &["https://man7.org/linux/man-pages/man7/unix.7.html", "CWE-441"],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/descriptor-fetch",
        summary: "Be handed a descriptor of the secret by a service on a Unix socket",
        decoys: &[&Giver { named: false }],
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/connect", "seccomp/socket", "hook/socket.*"],
        native: Some(|scene| fetch(scene, &SocketAddr::from_pathname(scene.path("giver")?)?)),
        python: Some(include_str!("descriptor_fetch.py")),
        ..FETCH
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "ipc/descriptor-fetch.abstract",
        summary: "Be handed a descriptor of the secret by a service under an abstract name",
        decoys: &[&Giver { named: true }],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["landlock/scope-abstract-unix-socket", "seccomp/connect", "seccomp/socket"],
        native: Some(|scene| fetch(scene, &SocketAddr::from_abstract_name(scene.text("giver")?)?)),
        ..FETCH
    },
];

fn fetch(scene: &Scene, address: &SocketAddr) -> io::Result<Vec<u8>> {
    let stream = UnixStream::connect_addr(address)?;
    scene.show("giver")?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(&stream, &mut [IoSliceMut::new(&mut byte)], &mut control, RecvFlags::DONTWAIT)?;
    let mut secret = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            for descriptor in descriptors {
                File::from(descriptor).read_to_end(&mut secret)?;
            }
        }
    }
    Ok(secret)
}

/// A service that hands the secret's descriptor to whoever has connected when the program asks to be
/// looked at. It has an abstract name, or a path outside.
#[derive(Debug)]
struct Giver {
    named: bool,
}

impl Decoy for Giver {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let path = site.outside.join("giver");
        let (address, clue) = if self.named {
            abstract_name(format!("escapology-{}-giver", site.nonce))?
        } else {
            (SocketAddr::from_pathname(&path)?, path.into_os_string())
        };
        let listener = UnixListener::bind_addr(&address)?;
        listener.set_nonblocking(true)?;
        let secret = site.outside.join("secret");
        Ok(Box::new(Service { listener: Some(listener), clue, secret, given: 0 }))
    }
}

#[cfg(target_os = "linux")]
fn abstract_name(name: String) -> io::Result<(SocketAddr, OsString)> {
    Ok((SocketAddr::from_abstract_name(&name)?, name.into()))
}

/// There are no such names here, and no escape asks for one.
#[cfg(target_os = "macos")]
fn abstract_name(_name: String) -> io::Result<(SocketAddr, OsString)> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A caller that has gone ends nobody: Rust's runtime ignores the signal of a broken pipe.
#[cfg(target_os = "linux")]
const QUIET: SendFlags = SendFlags::NOSIGNAL;
#[cfg(target_os = "macos")]
const QUIET: SendFlags = SendFlags::empty();

#[derive(Debug)]
struct Service {
    listener: Option<UnixListener>,
    clue: OsString,
    secret: PathBuf,
    given: usize,
}

impl Service {
    fn give(&self) -> io::Result<()> {
        let listener = self.listener.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        let (caller, _) = listener.accept()?;
        let secret = File::open(&self.secret)?;
        let descriptors = [secret.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&descriptors));
        sendmsg(&caller, &[IoSlice::new(b"x")], &mut control, QUIET)?;
        Ok(())
    }
}

impl Placed for Service {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("giver", self.clue.clone())]
    }

    fn look(&mut self, _program: &Program<'_>, _claim: &str) -> Vec<Evidence> {
        // Nobody is there to be given anything when nobody could connect.
        self.given += usize::from(self.give().is_ok());
        Vec::new()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let detail = format!("the secret was handed to {} callers", self.given);
        let evidence = Evidence { kind: EvidenceKind::Contacted, detail };
        Ok(if self.given == 0 { Vec::new() } else { vec![evidence] })
    }

    fn sweep(&mut self) -> Vec<String> {
        self.listener = None;
        Vec::new()
    }
}
