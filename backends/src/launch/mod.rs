//! From an enforcement to a running program. On Linux everything is built before the child exists, the
//! child takes its steps, the parent lets one execution through; macOS has a launch of its own
//! (`macos::launch`). Errors and the following of a running program are the same on both.

mod awaited;
#[cfg(target_os = "linux")]
mod deadline;
mod error;
#[cfg(target_os = "linux")]
mod failure;
mod feed;
#[cfg(target_os = "linux")]
mod oom;
#[cfg(target_os = "linux")]
mod prepared;
pub(crate) mod quota;
mod reading;
#[cfg(target_os = "linux")]
mod ready;
#[cfg(target_os = "linux")]
mod rlimits;
#[cfg(target_os = "linux")]
mod ruleset;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod streams;
#[cfg(target_os = "linux")]
mod strings;
pub(crate) mod supervise;
#[cfg(target_os = "linux")]
mod view;
pub(crate) mod watch;
mod written;

pub use error::{LaunchError, WaitError};
#[cfg(target_os = "linux")]
pub(crate) use prepared::{Prepared, with_execution};
#[cfg(target_os = "linux")]
pub(crate) use rlimits::limit;
#[cfg(target_os = "linux")]
pub(crate) use ruleset::open as open_granted;

/// A call that a throw-away child makes after the steps of a launch, in the place of executing a
/// program. Pointers among the arguments must stay valid for the attempt; the kernel checks them.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempted {
    /// The number of the call.
    pub(crate) number: i64,
    /// Its arguments.
    pub(crate) arguments: [usize; 6],
}
