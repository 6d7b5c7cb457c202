//! Escapes that kill no mutant, and why they stay.

/// Paths that can be looked at.
const METADATA: &str = "native declares this gap, so no rule of it holds the act; native-hidden and other sandboxes are judged by it";

/// The escape, and the reason.
pub(super) const ESCAPES: &[(&str, &str)] = &[
    ("metadata/stat", METADATA),
    ("metadata/stat.statx", METADATA),
    ("metadata/readlink", METADATA),
    ("metadata/access", METADATA),
    ("metadata/access.effective", METADATA),
    ("metadata/access.errno", METADATA),
    ("metadata/statfs", METADATA),
    ("metadata/open-path.existence", METADATA),
    ("metadata/host", METADATA),
    ("metadata/host.memory", METADATA),
    ("exec/threads", METADATA),
];
