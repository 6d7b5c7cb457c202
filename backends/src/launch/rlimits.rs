//! Linux. Resource limits, as the kernel takes them.

use crate::policy::{Bound, Limits};
use crate::sys::child::Limit;
use nix::sys::resource::Resource;

/// The limits that are set before the filter. A core limit of one byte stops dumps to files and to
/// pipes alike; zero would let a pipe handler run (`do_coredump`, core(5)).
pub(super) fn before_filter(limits: &Limits, no_core_dump: bool) -> Vec<Limit> {
    let core = no_core_dump.then(|| limit(Resource::RLIMIT_CORE, Bound::At(1))).flatten();
    [
        limit(Resource::RLIMIT_CPU, limits.cpu_seconds),
        limit(Resource::RLIMIT_AS, limits.address_space_bytes),
        limit(Resource::RLIMIT_FSIZE, limits.file_size_bytes),
        core,
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A limit that is not above what this process itself may have, for only the privileged may raise it.
pub(super) fn limit(resource: Resource, bound: Bound) -> Option<Limit> {
    let Bound::At(value) = bound else { return None };
    let hard = nix::sys::resource::getrlimit(resource).map_or(value, |(_, hard)| hard);
    Some(Limit { resource: resource as u32, value: value.min(hard) })
}
