//! Traffic between other programs: datagrams with the token on the loopback, sent when the program
//! asks to be looked at, for then it listens.

use fixtures::decoy::{Decoy, Evidence, Placed, Program, Site};
use std::ffi::OsString;
use std::io;
use std::net::{Ipv4Addr, UdpSocket};

/// The traffic.
pub(super) const WIRE: &dyn Decoy = &Wire;

#[derive(Debug)]
struct Wire;

impl Decoy for Wire {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let receiver = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let sender = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        sender.connect(receiver.local_addr()?)?;
        let message = format!("{} {}", site.nonce, site.token);
        Ok(Box::new(Traffic { sockets: Some((sender, receiver)), message }))
    }
}

#[derive(Debug)]
struct Traffic {
    sockets: Option<(UdpSocket, UdpSocket)>,
    message: String,
}

impl Placed for Traffic {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        Vec::new()
    }

    fn look(&mut self, _program: &Program<'_>, _claim: &str) -> Vec<Evidence> {
        if let Some((sender, _receiver)) = &self.sockets {
            // Whether it was heard is told by the token alone.
            let _sent = sender.send(self.message.as_bytes());
        }
        Vec::new()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.sockets = None;
        Vec::new()
    }
}
