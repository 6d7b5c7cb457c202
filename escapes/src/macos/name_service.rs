//! Ask the resolver of the system, which answers in the program's place. Name and question are for this host
//! alone and are never sent.

use crate::raw_macos::service::Names;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::ffi::{CString, OsString};
use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/name-service",
    summary: "Learn a name from the resolver of the system, by its socket",
    techniques: &["MC-DNSMACH"],
    references: &[
        "https://github.com/mlcyclops/lucidagentide/pull/231",
        "https://attack.mitre.org/techniques/T1071/004/",
    ],
    decoys: &[&Name],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    twin: Twin::SocketPair,
    native: Some(ask),
    ..Escape::BLANK
}];

/// The socket of the resolver.
const RESOLVER: &str = "/var/run/mDNSResponder";
/// How long the resolver may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

fn ask(scene: &Scene) -> io::Result<Vec<u8>> {
    // The library tries for seconds and does not tell why it failed; the socket does.
    drop(UnixStream::connect(RESOLVER)?);
    Names::of(&CString::new(scene.text("name-kind")?)?, PATIENCE)
}

/// Clue `name-kind`: a kind of service, of which the token is announced on this host.
#[derive(Debug)]
struct Name;

impl Decoy for Name {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        // Such a word has fifteen characters at most.
        let word: String = site.nonce.chars().take(12).collect();
        let kind = format!("_e{word}._udp");
        let (name, of) = (CString::new(site.token)?, CString::new(kind.as_str())?);
        Ok(Box::new(Announced { kind, names: Some(Names::announce(&name, &of)?) }))
    }
}

#[derive(Debug)]
struct Announced {
    kind: String,
    names: Option<Names>,
}

impl Placed for Announced {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("name-kind", self.kind.clone().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.names = None;
        Vec::new()
    }
}
