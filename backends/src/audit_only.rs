//! The backend `audit-only`: hygiene, limits, and the Python hook, which a program can walk round. It
//! is an explicit opt-out of confinement and must be asked for by name.

use crate::enforcement::Enforcement;
use crate::layered::Layered;
use crate::linux::lower;
use crate::protection::Protection;

/// Hygiene and limits without any layer of the kernel.
pub fn audit_only() -> Layered {
    Layered {
        name: "audit-only".to_owned(),
        lower: |policy| {
            let mut enforcement = Enforcement::bare(policy.limits().clone());
            enforcement.hygiene = lower::hygiene(policy);
            Ok(enforcement)
        },
        weakening: None,
        errnos: &[],
        mechanism: None,
        warning: Some(
            "audit-only is NOT a sandbox: native code and a determined Python program do what they like",
        ),
        keeps_limits: true,
        whole: false,
        gaps: &[],
        claims: &[Protection::Capabilities, Protection::Descriptors, Protection::Environment],
    }
}
