//! Policies, what the kernel is told to enforce them, and the backends that apply them.
//!
//! The data flows one way: a [`policy::Policy`] is lowered to an enforcement (pure data), which is
//! launched. Nothing falls through: what cannot be applied is a typed error and nothing runs.

#[cfg(target_os = "linux")]
pub mod linux;
pub mod policy;
pub mod protection;
pub mod tier;
