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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enforcement::Enforcement;

    /// Zero stops files and starts a pipe handler, which is a program of the host with a memory of another.
    #[test]
    fn a_core_is_limited_to_one_byte_which_stops_files_and_pipes_and_not_to_none() {
        let mut hygiene = Enforcement::bare(Limits::default()).hygiene;
        let core = |hygiene: &Hygiene| {
            before_filter(&Limits::default(), hygiene)
                .into_iter()
                .find(|limit| limit.resource == Resource::RLIMIT_CORE as u32)
                .map(|limit| limit.value)
        };
        assert_eq!(core(&hygiene), None);
        hygiene.no_core_dump = true;
        let (_, hard) = nix::sys::resource::getrlimit(Resource::RLIMIT_CORE).unwrap();
        assert_eq!(core(&hygiene), Some(hard.min(1)));
    }
}
