//! What there is once on a host, so that only one trial at a time can tell whose doing a change is. The
//! lock is a name that the kernel takes back when its owner ends, and it holds between all processes.

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::thread;
use std::time::{Duration, Instant};

/// How long another trial may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The right to change one thing of the host.
#[derive(Debug)]
pub(super) struct Alone {
    _name: UnixListener,
}

impl Alone {
    /// Waits for its turn.
    pub(super) fn wait(thing: &str) -> io::Result<Self> {
        let address = SocketAddr::from_abstract_name(format!("escapology-alone-{thing}"))?;
        let begin = Instant::now();
        loop {
            match UnixListener::bind_addr(&address) {
                Ok(_name) => return Ok(Self { _name }),
                Err(error) if error.kind() != io::ErrorKind::AddrInUse => return Err(error),
                Err(error) if begin.elapsed() > PATIENCE => return Err(error),
                Err(_taken) => thread::sleep(Duration::from_millis(2)),
            }
        }
    }
}
