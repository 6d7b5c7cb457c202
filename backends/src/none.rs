//! The backend `none`: a bare child process with a deadline and an output cap. It is the control of
//! every trial and earns nothing.

use crate::enforcement::Enforcement;
use crate::layered::Layered;

/// A bare child process.
pub fn none() -> Layered {
    Layered {
        name: "none".to_owned(),
        lower: |policy| Ok(Enforcement::bare(policy.limits().clone())),
        weakening: None,
        errnos: &[],
        mechanism: None,
        warning: None,
        keeps_limits: false,
        whole: false,
        gaps: &[],
        claims: &[],
    }
}
