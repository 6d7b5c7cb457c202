//! Linux. What is known of the host from the kernel's own files.

use backends::sys::kernel;
use reports::record::Landlock;
use std::fs;

/// What Landlock the kernel offers.
pub(super) fn landlock() -> Landlock {
    Landlock {
        abi: kernel::landlock_abi().ok().and_then(|abi| abi.try_into().ok()).unwrap_or(0),
        errata: kernel::landlock_errata().ok().and_then(|bits| bits.try_into().ok()).unwrap_or(0),
    }
}

/// The words of a file of the kernel.
pub(super) fn words(path: &str, separator: char) -> Option<Vec<String>> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().split(separator).map(str::to_owned).collect())
}

/// By the kernel's own switches: the upper bound, and Debian's and Ubuntu's.
pub(super) fn user_namespaces() -> Option<bool> {
    let number = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let most = number("/proc/sys/user/max_user_namespaces")?;
    let debian = number("/proc/sys/kernel/unprivileged_userns_clone").unwrap_or(1);
    let ubuntu = number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").unwrap_or(0);
    Some(most > 0 && debian == 1 && ubuntu == 0)
}

/// The effective capabilities of this process.
pub(super) fn capabilities() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"))?;
    u64::from_str_radix(line.trim(), 16).ok()
}
