//! System V IPC: what its escapes have in common, the calls, and decoys outside. Its objects live in the kernel under a number that
//! every process of the host may ask for, so no rule on files covers them (sysvipc(7)).

use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::ffi::OsString;
use std::io;

/// An escape by an object of any kind. No file stands for it, so only what refuses the calls, or gives the
/// program objects of its own, can stop it.
pub(super) const SYSTEM_V: Escape = Escape {
    references: &[
        "https://man7.org/linux/man-pages/man7/sysvipc.7.html",
        "https://github.com/landlock-lsm/linux/issues/30",
    ],
    stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt],
    twin: Twin::Memory,
    ..Escape::BLANK
};

/// The three kinds of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Memory,
    Queue,
    Semaphore,
}

impl Kind {
    /// The clue that holds the key of a decoy of this kind.
    pub(super) fn clue(self) -> &'static str {
        match self {
            Self::Memory => "memory-key",
            Self::Queue => "queue-key",
            Self::Semaphore => "semaphore-key",
        }
    }

    /// The object outside, asked for by its key.
    pub(super) fn outside(self, scene: &Scene) -> io::Result<i32> {
        self.get(scene.number(self.clue())?, 0)
    }

    /// The clue that holds the number under which the kernel has the object: small, and in order, so that
    /// nobody needs to ask for it by the key.
    #[cfg(target_os = "linux")]
    pub(super) fn number(self) -> &'static str {
        match self {
            Self::Memory => "memory-number",
            Self::Queue => "queue-number",
            Self::Semaphore => "semaphore-number",
        }
    }
}

/// How much an object holds.
pub(super) const LENGTH: usize = 64;

/// An object outside that holds the token.
#[derive(Debug)]
pub(crate) struct Object(pub(crate) Kind);

/// A key under which there is nothing yet.
#[derive(Debug)]
pub(super) struct FreeKey(pub(super) Kind);

impl Decoy for Object {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let Self(kind) = *self;
        let key = key(site)?;
        let identifier = kind.get(key, libc::IPC_CREAT | libc::IPC_EXCL | 0o600)?;
        let mut placed = PlacedKey {
            kind,
            key,
            #[cfg(target_os = "linux")]
            number: Some(identifier),
            holds: None,
        };
        let filled = kind.write(identifier, site.token.as_bytes());
        placed.holds = Some(site.token.into());
        if let Err(error) = filled {
            placed.sweep();
            return Err(error);
        }
        Ok(Box::new(placed))
    }
}

impl Decoy for FreeKey {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(Box::new(PlacedKey {
            kind: self.0,
            key: key(site)?,
            #[cfg(target_os = "linux")]
            number: None,
            holds: None,
        }))
    }
}

/// A key that no other trial uses: the start of the trial's public name.
fn key(site: &Site<'_>) -> io::Result<i32> {
    let digits = site.nonce.get(..7).ok_or(io::ErrorKind::InvalidData)?;
    i32::from_str_radix(digits, 16).map_err(io::Error::other)
}

#[derive(Debug)]
struct PlacedKey {
    kind: Kind,
    key: i32,
    /// Of the object, if there is one.
    #[cfg(target_os = "linux")]
    number: Option<i32>,
    /// The token, or nothing if there is no object.
    holds: Option<String>,
}

impl PlacedKey {
    /// What is under the key now.
    fn content(&self) -> io::Result<Option<Vec<u8>>> {
        match self.kind.get(self.key, 0) {
            Ok(identifier) => match self.kind.read(identifier) {
                Err(error) if error.raw_os_error() == Some(libc::ENOMSG) => Ok(Some(Vec::new())),
                content => content.map(Some),
            },
            Err(error) if error.raw_os_error() == Some(libc::ENOENT) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Placed for PlacedKey {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        let key = (self.kind.clue(), self.key.to_string().into());
        #[cfg(target_os = "linux")]
        let number = self.number.map(|number| (self.kind.number(), number.to_string().into()));
        #[cfg(target_os = "macos")]
        let number = None;
        [key].into_iter().chain(number).collect()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let change = match (&self.holds, self.content()?) {
            (None, None) => None,
            (None, Some(_)) => Some("was left"),
            (Some(_), None) => Some("was removed"),
            (Some(token), Some(content)) => {
                let same = match self.kind {
                    Kind::Memory => content.starts_with(token.as_bytes()),
                    Kind::Queue => content == token.as_bytes(),
                    Kind::Semaphore => content.len() == token.len(),
                };
                (!same).then_some("was changed")
            }
        };
        let detail = |change| format!("System V {:?} {:#x} {change}", self.kind, self.key);
        let evidence =
            |change| Evidence { kind: EvidenceKind::ObjectChanged, detail: detail(change) };
        Ok(change.map(evidence).into_iter().collect())
    }

    fn sweep(&mut self) -> Vec<String> {
        let removed =
            self.kind.get(self.key, 0).and_then(|identifier| self.kind.remove(identifier));
        match removed {
            Ok(()) => Vec::new(),
            Err(error) if error.raw_os_error() == Some(libc::ENOENT) => Vec::new(),
            Err(error) => vec![format!("System V {:?} {:#x}: {error}", self.kind, self.key)],
        }
    }
}
