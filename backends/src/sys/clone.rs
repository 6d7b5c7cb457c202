//! Linux. Starting a child that shares this process's memory and descriptors until it executes its
//! program, as `vfork` does, but on a stack of its own and without stopping the parent, which must be able to give
//! up a child that does not get that far.

use super::child::{self, ChildPlan, Order, PENDING};
use super::kernel;
use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use nix::sys::socket::{ControlMessage, MsgFlags, Shutdown, sendmsg, shutdown};
use std::arch::asm;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

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

/// A child that takes its first steps, or has taken them and waits for its order. It shares this process's memory
/// until it has executed its program, and is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Standing {
    /// Nothing once the child has memory of its own.
    child: Option<Started>,
    /// This process's end of the channel, and the child's.
    channel: Option<[OwnedFd; 2]>,
    _stack: Vec<u8>,
    /// The process whose child it is.
    parent: u32,
}

/// A child that shares no memory with this process any more, and what it told while it did.
#[derive(Debug)]
pub(crate) struct Started {
    pub(crate) pid: i32,
    pub(crate) pidfd: OwnedFd,
    pub(crate) plan: Box<ChildPlan>,
}

impl Standing {
    /// Starts the child that lives by `plan`, whose channel is the second of these descriptors. Both are above the
    /// streams, and the first is the greater number.
    ///
    /// # Errors
    /// The errno of `clone3`, or of the mask around it: there is no child.
    pub(crate) fn start(mut plan: Box<ChildPlan>, channel: [OwnedFd; 2]) -> io::Result<Self> {
        (plan.opposite, plan.channel) = (channel[0].as_raw_fd(), channel[1].as_raw_fd());
        // Memory that is not touched costs nothing: the child needs a page or two of it.
        let mut stack = Vec::with_capacity(STACK_BYTES);
        // A handler of this process must not run in the child, on its stack and in this memory.
        let mut previous = SigSet::empty();
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), Some(&mut previous))?;
        // SAFETY: plan and stack lie on the heap, and what is returned here keeps them until the kernel has
        // cleared the word; all signals are blocked.
        let started = unsafe { start(&plan, stack.spare_capacity_mut()) };
        let restored = pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&previous), None);
        let (pid, pidfd) = started?;
        let child = Some(Started { pid, pidfd, plan });
        let channel = Some(channel);
        let standing = Self { child, channel, _stack: stack, parent: std::process::id() };
        restored?;
        Ok(standing)
    }

    /// Whether it lives, and is a child of this process.
    pub(crate) fn is_alive(&self) -> bool {
        self.is_own() && self.word() == PENDING
    }

    /// Whether this process is its parent, and has not reaped it. A copy of that, made by fork(2), has a copy of this and
    /// no child. Its number can be the same, in a pid namespace of its own or once the parent is gone, so the kernel is
    /// asked too; and not alone, for a copy that was made while this was begun may lack the descriptors.
    fn is_own(&self) -> bool {
        let own = |child: &Started| kernel::is_child(&child.pidfd);
        self.parent == std::process::id() && self.child.as_ref().is_some_and(own)
    }

    /// Whether this thread may look into it, as a thread may that has laid nothing upon itself which the child lacks: a
    /// Landlock domain keeps who is in it from looking into what is not.
    pub(crate) fn is_open_to_this_thread(&self) -> bool {
        self.child.as_ref().is_some_and(|child| kernel::may_look_into(child.pid))
    }

    /// Gives it its order, and returns it when it has memory of its own or is dead; nothing, and it is killed, if
    /// that is not so before the deadline.
    ///
    /// # Errors
    /// The errno of `sendmsg`. The child is killed.
    pub(crate) fn follow(
        mut self,
        order: &Order<'_>,
        descriptors: &[RawFd],
        deadline: Instant,
    ) -> io::Result<Option<Started>> {
        // The order stays where it is for as long as the child can look at it: this, and the child with it, is
        // gone when the function returns.
        let address = std::ptr::from_ref(order).expose_provenance().to_ne_bytes();
        let rights = ControlMessage::ScmRights(descriptors);
        let text = [IoSlice::new(&address)];
        let [ours, _its] = self.channel.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        sendmsg::<()>(ours.as_raw_fd(), &text, &[rights], MsgFlags::MSG_NOSIGNAL, None)?;
        while self.word() == PENDING {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            self.wait(left);
        }
        Ok(self.child.take())
    }

    /// What [`Shared::word`] says.
    fn word(&self) -> u32 {
        self.child.as_ref().map_or(0, |child| child.plan.shared.word.load(Ordering::SeqCst))
    }

    /// Waits for a change of the word.
    fn wait(&self, timeout: Duration) {
        if let Some(child) = &self.child {
            kernel::wait_word(&child.plan.shared.word, PENDING, timeout);
        }
    }
}

/// Holds what the child uses until it shares no memory with it, even in a panic.
impl Drop for Standing {
    fn drop(&mut self) {
        if self.child.is_some() && !self.is_own() {
            // Of a copy that was made while this was begun, the numbers are those of other files.
            std::mem::forget((self.child.take(), self.channel.take()));
        }
        let Some(child) = &self.child else { return };
        let _dead_already = kernel::kill(&child.pidfd);
        // Who has become another user since, or may signal nobody, cannot kill it: so it is told that no order will
        // come. A closed end would not tell it where a copy of this process has the end, too.
        let ours = self.channel.iter().flatten().next();
        let _ended_already = ours.map(|ours| shutdown(ours.as_raw_fd(), Shutdown::Both));
        while self.word() == PENDING {
            self.wait(Duration::from_millis(5));
        }
        let _reaped = kernel::reap(child.pid);
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
        // A child that waits is nobody's business: neither its end nor its life shows in a host that waits for all
        // its children. The kernel has the end of one that executed a program told by SIGCHLD (`de_thread`).
        exit_signal: 0,
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

#[cfg(test)]
mod tests;
