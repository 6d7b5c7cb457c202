//! Linux. Starting a child that shares this process's memory and descriptors until it executes its
//! program, as `vfork` does, but on a stack of its own and without stopping the parent, which must be able to give
//! up a child that does not get that far.

use super::child::{self, ChildPlan};
use super::kernel;
use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use std::arch::asm;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// `struct clone_args`, clone3(2), in its first published size (Linux 5.3).
#[repr(C)]
#[derive(Debug, Default)]
struct CloneArguments {
    flags: u64,
    pidfd: u64,
    child_tid: u64,
    parent_tid: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    tls: u64,
}

/// Bytes of the child's stack. Its code calls nothing but the kernel; a debug build needs the most.
const STACK_BYTES: usize = 1 << 16;

/// `CLONE_CLEAR_SIGHAND` (Linux 5.5): handlers of the parent must not run in the child.
const CLEAR_SIGHAND: u64 = 0x1_0000_0000;

/// Starts the child that lives by `plan`, lets `accompany` stay with it, and returns its pid, its pidfd
/// and what `accompany` said, when the child has memory of its own or is dead. It is killed if
/// `accompany` fails.
///
/// # Errors
/// The errno of `clone3`, or of the mask around it: no child was started.
pub(crate) fn with_child<E>(
    plan: &ChildPlan<'_>,
    accompany: impl FnOnce(BorrowedFd<'_>) -> Result<(), E>,
) -> io::Result<(i32, OwnedFd, Result<(), E>)> {
    // Memory that is not touched costs nothing: the child needs a page or two of it.
    let mut stack = Vec::with_capacity(STACK_BYTES);
    // A handler of this process must not run in the child, on its stack and in this memory.
    let mut previous = SigSet::empty();
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), Some(&mut previous))?;
    // SAFETY: the guard below keeps this frame, and with it the plan and the stack, until the kernel
    // has cleared the word; all signals are blocked.
    let started = unsafe { start(plan, stack.spare_capacity_mut()) };
    let restored = pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&previous), None);
    let (pid, pidfd) = started?;
    let accompanied = {
        let mut guard = Guard { plan, pidfd: pidfd.as_fd(), kill: true };
        let accompanied = accompany(pidfd.as_fd());
        guard.kill = accompanied.is_err() || restored.is_err();
        accompanied
    };
    Ok((pid, pidfd, accompanied))
}

/// Holds the frame of the launch until the child shares no memory with it, even in a panic.
struct Guard<'a> {
    plan: &'a ChildPlan<'a>,
    pidfd: BorrowedFd<'a>,
    kill: bool,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if self.kill {
            let _dead_already = kernel::kill(self.pidfd);
        }
        loop {
            let word = self.plan.shared.word.load(Ordering::SeqCst);
            if word == 0 {
                return;
            }
            kernel::wait_word(&self.plan.shared.word, word, Duration::from_millis(5));
        }
    }
}

/// Starts the child that lives by `plan` and returns its pid and pidfd. The kernel clears
/// `plan.shared.word` when the child no longer shares this process's memory.
///
/// # Safety
/// `plan` and everything it points to, and `stack`, must stay in place and unchanged until
/// `plan.shared.word` is zero. All signals must be blocked in the calling thread.
///
/// # Errors
/// The errno of `clone3`.
unsafe fn start(plan: &ChildPlan, stack: &mut [MaybeUninit<u8>]) -> io::Result<(i32, OwnedFd)> {
    let mut pidfd: RawFd = -1;
    let bottom = stack.as_mut_ptr() as usize;
    // Both architectures want a stack pointer that is a multiple of 16.
    let top = (bottom + stack.len()) & !15;
    let shared =
        libc::CLONE_VM | libc::CLONE_FILES | libc::CLONE_PIDFD | libc::CLONE_CHILD_CLEARTID;
    let namespaces = if plan.view.is_some() { libc::CLONE_NEWUSER | libc::CLONE_NEWNS } else { 0 };
    let arguments = CloneArguments {
        flags: (shared | namespaces) as u64 | CLEAR_SIGHAND,
        pidfd: (&raw mut pidfd) as u64,
        child_tid: plan.shared.word.as_ptr() as u64,
        exit_signal: libc::SIGCHLD as u64,
        stack: bottom as u64,
        stack_size: (top - bottom) as u64,
        ..CloneArguments::default()
    };
    // SAFETY: the arguments are those of clone3(2), the stack is unused memory of the given size, and
    // the caller keeps the plan in place for as long as the child shares this memory.
    let result = unsafe { clone3(&arguments, plan) };
    if result < 0 {
        return Err(io::Error::from_raw_os_error(-(result as i32)));
    }
    // SAFETY: on success the kernel has written a new descriptor, which nobody else owns.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    Ok((result as i32, pidfd))
}

/// `clone3` that runs `child::live` in the child and returns in the parent alone.
///
/// # Safety
/// As [`start`]; `arguments.stack` must not be zero.
#[cfg(target_arch = "x86_64")]
unsafe fn clone3(arguments: &CloneArguments, plan: &ChildPlan) -> isize {
    let result: isize;
    // SAFETY: the child begins after `syscall` with rax zero, on its own empty stack and with the
    // parent's other registers: it calls `live(plan)`, which never returns.
    unsafe {
        asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "mov rdi, {plan}",
            "call {live}",
            "ud2",
            "2:",
            plan = in(reg) plan,
            live = in(reg) child::live as extern "C" fn(&ChildPlan) -> !,
            inlateout("rax") libc::SYS_clone3 as isize => result,
            in("rdi") arguments,
            in("rsi") size_of::<CloneArguments>(),
            out("rcx") _,
            out("r11") _,
        );
    }
    result
}

/// `clone3` that runs `child::live` in the child and returns in the parent alone.
///
/// # Safety
/// As [`start`]; `arguments.stack` must not be zero.
#[cfg(target_arch = "aarch64")]
unsafe fn clone3(arguments: &CloneArguments, plan: &ChildPlan) -> isize {
    let result: isize;
    // SAFETY: the child begins after `svc` with x0 zero, on its own empty stack and with the parent's
    // other registers: it calls `live(plan)`, which never returns.
    unsafe {
        asm!(
            "svc 0",
            "cbnz x0, 2f",
            "mov x29, xzr",
            "mov x30, xzr",
            "mov x0, {plan}",
            "blr {live}",
            "brk 1",
            "2:",
            plan = in(reg) plan,
            live = in(reg) child::live as extern "C" fn(&ChildPlan) -> !,
            in("x8") libc::SYS_clone3,
            inlateout("x0") arguments as *const CloneArguments as isize => result,
            in("x1") size_of::<CloneArguments>(),
        );
    }
    result
}
