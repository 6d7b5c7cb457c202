//! Policies, what the kernel is told to enforce them, and the backends that apply them.
//!
//! The data flows one way: a [`policy::Policy`] is lowered to an [`enforcement::Enforcement`] (pure
//! data), which is launched. Nothing falls through: what cannot be applied is a typed error and
//! nothing runs.

pub mod audit_only;
pub mod backend;
pub mod child;
pub mod command;
pub mod enforcement;
pub mod hook;
pub mod launch;
pub mod layered;
#[cfg(target_os = "linux")]
pub mod linux;
pub mod native;
pub mod none;
pub mod policy;
pub mod protection;
pub mod single;
mod support;
pub mod sys;
pub mod tier;
pub mod wrapper;
