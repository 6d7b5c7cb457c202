//! Other processes: signals, memory, descriptors, limits and scheduling of somebody who is not part of
//! the program.

#[cfg(target_os = "linux")]
mod victim;

family! {
    kill, kill_group, sigio, ptrace, memory, descriptor, pidfd,
    limits, priority, scheduler, io_priority, sacrifice, compare, whole_user,
}

macos! {}
