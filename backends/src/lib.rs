//! Policies, what the kernel is told to enforce them, and the backends that apply them.
//!
//! The data flows one way: a [`policy::Policy`] is lowered to plain data (an `Enforcement` on Linux, a
//! [`macos::profile::Profile`] on macOS), which is launched. Nothing falls through: what cannot be
//! applied is a typed error and nothing runs.

#[cfg(target_os = "linux")]
mod aside;
#[cfg(target_os = "linux")]
pub mod audit_only;
pub mod backend;
pub mod child;
pub mod command;
#[cfg(target_os = "linux")]
pub mod container;
#[cfg(target_os = "linux")]
pub mod enforcement;
#[cfg(target_os = "linux")]
pub mod events;
#[cfg(target_os = "linux")]
pub mod executor;
pub mod grants;
#[cfg(target_os = "linux")]
pub mod harvest;
pub mod hook;
pub mod host;
pub mod launch;
#[cfg(target_os = "linux")]
pub mod layered;
#[cfg(target_os = "linux")]
pub mod linux;
pub mod macos;
pub mod meter;
#[cfg(target_os = "linux")]
pub mod mutant;
#[cfg(target_os = "linux")]
pub mod native;
#[cfg(target_os = "linux")]
pub mod none;
#[cfg(target_os = "linux")]
pub mod owner;
#[cfg(target_os = "linux")]
mod per_process;
pub mod policy;
pub mod probe;
pub mod protection;
pub mod running;
pub mod seal;
#[cfg(target_os = "linux")]
pub mod session;
#[cfg(target_os = "linux")]
pub mod single;
#[cfg(target_os = "linux")]
mod support;
#[cfg(target_os = "linux")]
pub mod sweep;
pub mod sys;
#[cfg(target_os = "linux")]
mod temporary;
pub mod tier;
mod toml_error;
pub mod unit;
#[cfg(target_os = "linux")]
pub mod wrapper;

#[cfg(target_os = "linux")]
pub use linux::discover;
#[cfg(target_os = "macos")]
pub use macos::{audit_only, discover, native, none};
pub use toml_error::toml_error;
