//! Have a service on a Unix socket read the secret: connecting is a network operation, not a file's.

use fixtures::watch::GIVE;
use fixtures::watch::unix::UNIX_STREAM;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/unix-socket",
    summary: "Ask a service on a Unix socket outside to read the secret for us",
    techniques: &["MC-UNIXSOCK", "NT-UNIXPATH"],
    references: &["https://github.com/eugene1g/agent-safehouse/issues/19"],
    decoys: &[UNIX_STREAM],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    twin: Twin::SocketPair,
    native: Some(|scene| {
        let mut stream = UnixStream::connect(scene.path("unix-stream")?)?;
        stream.write_all(GIVE)?;
        stream.shutdown(Shutdown::Write)?;
        let mut loot = Vec::new();
        stream.read_to_end(&mut loot)?;
        Ok(loot)
    }),
    ..Escape::BLANK
}];
