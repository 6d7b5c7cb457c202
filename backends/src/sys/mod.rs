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

/// What a copy of this process, made by fork(2), says of something.
#[cfg(all(test, target_os = "linux"))]
pub(crate) fn in_a_copy(look: impl FnOnce() -> bool) -> bool {
    use nix::sys::wait::{WaitStatus, waitpid};
    use nix::unistd::{ForkResult, fork};
    // SAFETY: the copy, of one thread, may use the allocator, which glibc prepares for; callers take no lock in it that
    // another thread may hold.
    match unsafe { fork() } {
        Err(_) => false,
        Ok(ForkResult::Child) => {
            let seen = look();
            // SAFETY: nothing of the parent's runs at this end.
            unsafe { libc::_exit(i32::from(!seen)) }
        }
        Ok(ForkResult::Parent { child }) => {
            waitpid(child, None) == Ok(WaitStatus::Exited(child, 0))
        }
    }
}

#[cfg(target_os = "macos")]
#[path = "kernel_macos.rs"]
pub mod kernel;
#[cfg(target_os = "macos")]
pub(crate) mod stage;
