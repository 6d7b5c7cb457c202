//! Other processes: signals, memory, descriptors, limits and scheduling of somebody who is not part of
//! the program.

#[cfg(target_os = "linux")]
mod thread_outside;
mod victim;

family! {
    kill, kill_group, sigio, ptrace, memory, descriptor, pidfd,
    limits, priority, scheduler, parameter, io_priority, sacrifice, compare, whole_user,
}

macos! { kill, kill_group, priority, sigio, ptrace, memory }
