//! What many processes have in common, counted from outside while a program says that it has taken a share.

use super::host_wide::Alone;
use fixtures::decoy::{Decoy, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
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
        let _alone = Alone::wait(self.claim)?;
        Ok(Box::new(Looking::new(Counted { _alone, count: *self, before: (self.now)()? })))
    }
}

#[derive(Debug)]
struct Counted {
    _alone: Alone,
    count: Count,
    before: u64,
}

impl Question for Counted {
    fn look(&mut self, _nonce: &str, claim: &str) -> io::Result<Option<String>> {
        if claim != self.count.claim {
            return Ok(None);
        }
        let now = (self.count.now)()?;
        let felt = now >= self.before + self.count.felt;
        Ok(felt.then(|| format!("{now} {}, {} before", self.count.what, self.before)))
    }
}
