//! Linux. Each kernel layer alone, for the depth map: what one layer stops by itself.

use crate::enforcement::Enforcement;
use crate::layered::{Layered, strict_filter};
use crate::linux::lower;
use crate::protection::Protection;

/// Landlock and `no_new_privs`, which it needs; nothing else.
pub fn landlock() -> Layered {
    Layered {
        name: "landlock".to_owned(),
        lower: |policy| {
            let mut enforcement = Enforcement::bare(policy.limits().clone());
            enforcement.hygiene.no_new_privileges = true;
            enforcement.landlock = Some(lower::landlock(policy));
            Ok(enforcement)
        },
        weakening: None,
        mechanism: Some("landlock"),
        warning: None,
        keeps_limits: false,
        whole: false,
        gaps: &[],
        claims: &[Protection::FileRead, Protection::FileWrite],
    }
}

/// The system call filter with its execution fuse, and `no_new_privs`, which it needs; nothing else.
pub fn seccomp() -> Layered {
    Layered {
        name: "seccomp".to_owned(),
        lower: |policy| {
            let mut enforcement = Enforcement::bare(policy.limits().clone());
            enforcement.hygiene.no_new_privileges = true;
            enforcement.hygiene.execute_once = true;
            enforcement.seccomp = Some(strict_filter()?);
            Ok(enforcement)
        },
        weakening: None,
        mechanism: Some("seccomp"),
        warning: None,
        keeps_limits: false,
        whole: false,
        gaps: &[],
        claims: &[
            Protection::Spawn,
            Protection::Execute,
            Protection::Network,
            Protection::KernelSurface,
        ],
    }
}
