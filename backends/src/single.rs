//! Linux. Each layer alone, for the depth map: what one layer stops by itself.

use crate::enforcement::Enforcement;
use crate::layered::{Layered, strict_filter};
use crate::linux::lower;
use crate::linux::view::view;
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
        errnos: &[],
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
        errnos: &[],
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

/// What the launcher leaves behind: no descriptor, variable or capability; nothing of the kernel's rules.
pub fn hygiene() -> Layered {
    Layered {
        name: "hygiene".to_owned(),
        lower: |policy| {
            let mut enforcement = Enforcement::bare(policy.limits().clone());
            enforcement.hygiene = lower::hygiene(policy);
            Ok(enforcement)
        },
        weakening: None,
        errnos: &[],
        mechanism: Some("hygiene"),
        warning: None,
        keeps_limits: false,
        whole: false,
        gaps: &[],
        claims: &[Protection::Capabilities, Protection::Descriptors, Protection::Environment],
    }
}

/// A mount namespace that holds only what is granted; nothing else. Its user namespace is part of it,
/// since no ordinary user gets one without the other: identities that it does not map are invalid, the
/// keyrings are others, and handles of files outside are stale.
pub fn mount_namespace() -> Layered {
    Layered {
        name: "mount-namespace".to_owned(),
        lower: |policy| {
            let mut enforcement = Enforcement::bare(policy.limits().clone());
            enforcement.view = Some(view(policy));
            Ok(enforcement)
        },
        weakening: None,
        errnos: &[libc::ENOENT, libc::EROFS, libc::EINVAL, libc::ESTALE, libc::ENOKEY],
        mechanism: Some("mount-namespace"),
        warning: None,
        keeps_limits: false,
        whole: false,
        gaps: &[],
        claims: &[Protection::Metadata],
    }
}
