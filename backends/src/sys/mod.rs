//! The only unsafe code of the project: the raw calls of the launch path, one call a block.
#![expect(
    unsafe_code,
    reason = "clone, the child's life before exec, and calls that no library wraps"
)]

#[cfg(target_os = "linux")]
pub(crate) mod child;
#[cfg(target_os = "linux")]
pub(crate) mod clone;
#[cfg(target_os = "linux")]
pub mod kernel;
#[cfg(target_os = "linux")]
mod syscall;

#[cfg(target_os = "macos")]
#[path = "kernel_macos.rs"]
pub mod kernel;
#[cfg(target_os = "macos")]
pub(crate) mod stage;
