//! Linux. The only unsafe code of the project: the raw calls of the launch path, one call a block.
#![expect(
    unsafe_code,
    reason = "clone, the child's life before exec, and calls that no library wraps"
)]

pub(crate) mod child;
pub(crate) mod clone;
pub mod kernel;
mod syscall;
