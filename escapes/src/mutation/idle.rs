//! Escapes that kill no mutant, and why they stay.

/// What native cannot hold.
const DECLARED: &str = "native declares this gap, so no rule of it holds the act; native-hidden and other sandboxes are judged by it, and the ladder states it";

/// The escape, and the reason.
pub(super) const ESCAPES: &[(&str, &str)] = &[
    ("metadata/stat", DECLARED),
    ("metadata/stat.statx", DECLARED),
    ("metadata/stat.root", DECLARED),
    ("metadata/stat.at", DECLARED),
    ("metadata/readlink", DECLARED),
    ("metadata/access", DECLARED),
    ("metadata/access.effective", DECLARED),
    ("metadata/access.errno", DECLARED),
    ("metadata/statfs", DECLARED),
    ("metadata/open-path.existence", DECLARED),
    ("metadata/host", DECLARED),
    ("metadata/host.memory", DECLARED),
    ("exec/threads", DECLARED),
    ("fs-write/lock.granted", DECLARED),
    ("ipc/futex-wait", DECLARED),
    ("ipc/futex-wait.wake", DECLARED),
    ("kernel/user-quota.watches", DECLARED),
    ("kernel/user-quota.watches-few", DECLARED),
];
