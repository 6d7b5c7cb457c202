//! Linux. Second names that `/proc` has for what a process can reach anyway: a rule on names may not know them.

use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// What an own descriptor is open to.
pub(crate) fn of_descriptor(descriptor: &impl AsRawFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", descriptor.as_raw_fd()))
}

/// An absolute path, beginning at the root of the own process.
pub(crate) fn by_root(path: &Path) -> PathBuf {
    beneath("/proc/self/root", path)
}

/// An absolute path, beginning at another root.
pub(crate) fn beneath(root: &str, path: &Path) -> PathBuf {
    Path::new(root).join(path.strip_prefix("/").unwrap_or(path))
}
