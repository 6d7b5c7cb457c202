//! Linux. What containers answer where they deny, and what they do not hold.

use super::engine::Engine;
use crate::backend::{Gap, Profile};
use crate::native::{FUTEXES, LOCKS, WATCHES};

/// How namespaces deny: what is not there, what is read-only, what an empty network answers.
const NAMESPACES: [i32; 12] = [
    libc::EPERM,
    libc::ENOENT,
    libc::ESRCH,
    libc::ENXIO,
    libc::EBADF,
    libc::EACCES,
    libc::EXDEV,
    libc::EINVAL,
    libc::EROFS,
    libc::ENETUNREACH,
    libc::ECONNREFUSED,
    libc::EADDRNOTAVAIL,
];

/// How the filter denies.
const FILTER: [i32; 2] = [libc::ENOSYS, libc::EOPNOTSUPP];

const THREADS: &str =
    "without a control group of its own a container does not bound the threads of a program";

const EXECUTE: &str = "a runtime executes the program under the filter, which cannot tell that execution from the next";

const HOST: &str = "sysinfo(2) tells the memory of the host: no namespace hides it";

const GAPS: &[(&str, &str)] = &[
    ("exec/ldso", EXECUTE),
    ("exec/re-exec", EXECUTE),
    ("exec/threads*", THREADS),
    ("fs-write/lock.granted", LOCKS),
    ("ipc/futex-wait*", FUTEXES),
    ("kernel/user-quota.watches*", WATCHES),
    ("metadata/host.memory", HOST),
];

/// Where `/proc` is in the container, it is a further name of the program.
const PROC_GAPS: &[(&str, &str)] = &[("exec/re-exec.proc", EXECUTE)];

/// The profile of an engine, or of none that works.
pub(super) fn of(engine: Option<Engine>) -> Profile {
    let proc = engine.is_some_and(|engine| engine.runtime().needs_proc());
    let of_proc: &[(&str, &str)] = if proc { PROC_GAPS } else { &[] };
    let gaps = GAPS.iter().chain(of_proc).map(|(escapes, reason)| Gap {
        escapes: (*escapes).to_owned(),
        reason: (*reason).to_owned(),
    });
    Profile {
        mechanism: engine.map(|engine| engine.mechanism().to_owned()),
        layer: None,
        warning: None,
        errnos: NAMESPACES.into_iter().chain(FILTER).collect(),
        signals: [libc::SIGSYS].into(),
        silent: true,
        keeps_limits: true,
        gaps: gaps.collect(),
    }
}
