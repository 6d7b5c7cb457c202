//! macOS: from a policy to a Seatbelt profile, the reader and evaluator that decide what such a profile
//! allows without a Mac, and (on a Mac) the launch under it.
//!
//! Everything but the launch is pure and is built and tested on every system.

pub mod access;
pub mod evaluate;
pub mod gaps;
mod known;
pub mod lower;
pub mod mutate;
pub mod operation;
pub mod places;
pub mod profile;
pub mod read;
pub mod rules;
pub mod seatbelt;
#[cfg(test)]
mod tests;

#[cfg(target_os = "macos")]
pub mod audit_only;
#[cfg(target_os = "macos")]
mod bare;
#[cfg(target_os = "macos")]
pub mod discover;
#[cfg(not(target_os = "macos"))]
#[path = "elsewhere.rs"]
mod host;
#[cfg(target_os = "macos")]
mod host;
#[cfg(target_os = "macos")]
mod launch;
#[cfg(target_os = "macos")]
pub mod native;
#[cfg(target_os = "macos")]
pub mod none;
#[cfg(target_os = "macos")]
mod self_test;
#[cfg(target_os = "macos")]
mod streams;
