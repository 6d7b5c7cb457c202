//! Services outside that are spoken to over a stream: told something, or asked for the secret that they give.

use harness::scene::Scene;
use std::io::{self, Read, Write};
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;
#[cfg(target_os = "linux")]
use std::os::unix::net::SocketAddr;
use std::os::unix::net::UnixStream;

/// The service that has a path.
pub(crate) fn at_path(scene: &Scene) -> io::Result<UnixStream> {
    UnixStream::connect(scene.path("unix-stream")?)
}

/// The service that has a name and no path.
#[cfg(target_os = "linux")]
pub(crate) fn by_name(scene: &Scene) -> io::Result<UnixStream> {
    UnixStream::connect_addr(&SocketAddr::from_abstract_name(scene.text("abstract-stream")?)?)
}

/// Sends it a request, whose answer does not matter.
pub(crate) fn tell(mut service: impl Write, request: &[u8]) -> io::Result<Vec<u8>> {
    service.write_all(request)?;
    Ok(Vec::new())
}

/// Has it give the secret, which is as long as a token.
pub(super) fn ask(mut service: impl Read + Write) -> io::Result<Vec<u8>> {
    service.write_all(b"give\n")?;
    let mut secret = vec![0; 32];
    service.read_exact(&mut secret)?;
    Ok(secret)
}
