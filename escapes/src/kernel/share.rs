//! What many processes have in common, counted from outside while a program says that it has taken a share.

use super::host_wide::Alone;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Program, Site};
use std::ffi::OsString;
use std::fmt;
use std::io;

/// A count of the kernel's. Other trials that take of the same must not do it meanwhile.
#[derive(Clone, Copy)]
pub(super) struct Count {
    /// What the program says when it has its share, and the name under which trials wait for each other.
    pub(super) claim: &'static str,
    /// What is counted, for the evidence.
    pub(super) what: &'static str,
    /// How many there are now.
    pub(super) now: fn() -> io::Result<u64>,
    /// How many more are not chance.
    pub(super) felt: u64,
}

/// Without its functions: where they lie differs from run to run, and the catalogue has a digest.
impl fmt::Debug for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Count");
        shown.field("claim", &self.claim);
        shown.field("what", &self.what);
        shown.field("felt", &self.felt);
        shown.finish_non_exhaustive()
    }
}

impl Decoy for Count {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let alone = Some(Alone::wait(self.claim)?);
        Ok(Box::new(Counted { alone, count: *self, before: (self.now)()?, failure: None }))
    }
}

#[derive(Debug)]
struct Counted {
    alone: Option<Alone>,
    count: Count,
    before: u64,
    /// A look that failed: what was not seen then proves nothing.
    failure: Option<io::Error>,
}

impl Placed for Counted {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        Vec::new()
    }

    fn look(&mut self, _program: &Program<'_>, claim: &str) -> Vec<Evidence> {
        if claim != self.count.claim {
            return Vec::new();
        }
        match (self.count.now)() {
            Ok(now) if now >= self.before + self.count.felt => vec![Evidence {
                kind: EvidenceKind::ObjectHeld,
                detail: format!("{now} {}, {} before", self.count.what, self.before),
            }],
            Ok(_few) => Vec::new(),
            Err(error) => {
                self.failure.get_or_insert(error);
                Vec::new()
            }
        }
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        self.failure.take().map_or(Ok(Vec::new()), Err)
    }

    fn sweep(&mut self) -> Vec<String> {
        self.alone = None;
        Vec::new()
    }
}
