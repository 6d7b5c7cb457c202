//! Linux. From an enforcement to a running program: everything is built before the child exists, the
//! child takes its steps, the parent lets one execution through.

mod error;
mod failure;
mod prepared;
mod rlimits;
mod ruleset;
mod start;
mod streams;
mod strings;
pub(crate) mod supervise;

pub use error::LaunchError;
pub(crate) use prepared::Prepared;

/// A call that a throw-away child makes after the steps of a launch, in the place of executing a
/// program. Pointers among the arguments must stay valid for the attempt; the kernel checks them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempted {
    /// The number of the call.
    pub(crate) number: i64,
    /// Its arguments.
    pub(crate) arguments: [usize; 6],
}
