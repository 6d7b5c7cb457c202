//! macOS. It has none of what Linux says of itself.

use reports::record::Landlock;

/// There is no Landlock.
pub(super) fn landlock() -> Landlock {
    Landlock { abi: 0, errata: 0 }
}

/// There are no such files of the kernel.
pub(super) fn words(_path: &str, _separator: char) -> Option<Vec<String>> {
    None
}

/// There are no user namespaces.
pub(super) fn user_namespaces() -> Option<bool> {
    None
}

/// There are no capabilities.
pub(super) fn capabilities() -> Option<u64> {
    None
}
