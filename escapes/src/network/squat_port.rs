//! Take the callers of a service that runs already, by listening at the same port.

use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Program, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::net::sockopt::set_socket_reuseport;
use rustix::net::{AddressFamily, SocketType, bind, listen};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::OwnedFd;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "network/squat-port",
    summary: "Listen at the port of a service outside and answer its callers",
    techniques: &["NT-SQUATPORT"],
    references: &["https://man7.org/linux/man-pages/man7/socket.7.html", "CWE-605"],
    decoys: &[&SharedPort],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt, Layer::Hook],
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
    twin: Twin::SocketPair,
    native: Some(squat),
    python: Some(include_str!("squat_port.py")),
    ..Escape::BLANK
}];

fn squat(scene: &Scene) -> io::Result<Vec<u8>> {
    let listener = share(scene.number("shared-port")?)?;
    scene.show("shared-port")?;
    listener.set_nonblocking(true)?;
    while let Ok((mut caller, _)) = listener.accept() {
        caller.write_all(scene.nonce().as_bytes())?;
    }
    Ok(Vec::new())
}

/// A listener at this port, or at a free one for 0, beside which the same user may put others
/// (`SO_REUSEPORT`). The kernel spreads the callers over them.
fn share(port: u16) -> io::Result<TcpListener> {
    let socket = stream()?;
    set_socket_reuseport(&socket, true)?;
    bind(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port))?;
    listen(&socket, CALLERS as i32)?;
    Ok(TcpListener::from(socket))
}

#[cfg(target_os = "linux")]
fn stream() -> io::Result<OwnedFd> {
    let flags = rustix::net::SocketFlags::CLOEXEC;
    Ok(rustix::net::socket_with(AddressFamily::INET, SocketType::STREAM, flags, None)?)
}

#[cfg(target_os = "macos")]
fn stream() -> io::Result<OwnedFd> {
    let socket = rustix::net::socket(AddressFamily::INET, SocketType::STREAM, None)?;
    rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::CLOEXEC)?;
    Ok(socket)
}

/// So many that it cannot be chance that all of them come to one of two listeners.
const CALLERS: usize = 64;

/// A service outside, and callers that come when the program asks to be looked at.
#[derive(Debug)]
struct SharedPort;

impl Decoy for SharedPort {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let service = share(0)?;
        let port = service.local_addr()?.port();
        let nonce = site.nonce.to_owned();
        Ok(Box::new(Service { service: Some(service), port, nonce, callers: Vec::new() }))
    }
}

#[derive(Debug)]
struct Service {
    service: Option<TcpListener>,
    port: u16,
    nonce: String,
    callers: Vec<TcpStream>,
}

impl Placed for Service {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("shared-port", self.port.to_string().into())]
    }

    fn look(&mut self, _program: &Program<'_>, _claim: &str) -> Vec<Evidence> {
        let call = |_number| TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok();
        self.callers = (0..CALLERS).filter_map(call).collect();
        Vec::new()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let mut answered = 0;
        for caller in &mut self.callers {
            caller.set_nonblocking(true)?;
            let mut answer = [0; 64];
            // Who is not answered waits at the service itself.
            let length = caller.read(&mut answer).unwrap_or(0);
            answered += usize::from(answer.starts_with(self.nonce.as_bytes()) && length > 0);
        }
        let detail = format!("the program answered {answered} callers of another service");
        let evidence = Evidence { kind: EvidenceKind::Contacted, detail };
        Ok(if answered == 0 { Vec::new() } else { vec![evidence] })
    }

    fn sweep(&mut self) -> Vec<String> {
        self.service = None;
        self.callers.clear();
        Vec::new()
    }
}
