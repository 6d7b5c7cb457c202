//! Linux. Resource limits, as the kernel takes them.

use crate::enforcement::Hygiene;
use crate::policy::{Bound, Limits};
use crate::sys::child::Limit;
use nix::sys::resource::Resource;

/// The limits that are set before the filter. A core limit of one byte stops dumps to files and to
/// pipes alike; zero would let a pipe handler run (`do_coredump`, core(5)).
///
/// Signals and timers that wait are counted for all processes of a user together, and each process has the
/// count compared with its own limit (`getrlimit(2)`): so the bound leaves the rest to the others.
pub(super) fn before_filter(limits: &Limits, hygiene: &Hygiene) -> Vec<Limit> {
    const PENDING: u64 = 1024;
    let core = limit_if(hygiene.no_core_dump, Resource::RLIMIT_CORE, 1);
    let pending = limit_if(hygiene.few_pending_signals, Resource::RLIMIT_SIGPENDING, PENDING);
    [
        limit(Resource::RLIMIT_CPU, limits.cpu_seconds),
        limit(Resource::RLIMIT_AS, limits.address_space_bytes),
        limit(Resource::RLIMIT_FSIZE, limits.file_size_bytes),
        core,
        pending,
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn limit_if(wanted: bool, resource: Resource, value: u64) -> Option<Limit> {
    wanted.then(|| limit(resource, Bound::At(value))).flatten()
}

/// A limit that is not above what this process itself may have, for only the privileged may raise it.
pub(crate) fn limit(resource: Resource, bound: Bound) -> Option<Limit> {
    let Bound::At(value) = bound else { return None };
    let hard = nix::sys::resource::getrlimit(resource).map_or(value, |(_, hard)| hard);
    Some(Limit { resource: resource as u32, value: value.min(hard) })
}
