//! The surface of the kernel: objects, namespaces and powers that no honest program here needs. Each is
//! code of the kernel that the program would reach, or a means that other escapes are made of.

#[cfg(target_os = "linux")]
pub(crate) mod hold;
#[cfg(target_os = "linux")]
mod host_wide;
#[cfg(target_os = "linux")]
mod share;
#[cfg(target_os = "linux")]
mod state;
#[cfg(target_os = "linux")]
mod volume;

family! {
    user_namespace, namespace, io_uring, bpf, perf, userfault, secret_memory, memory_file,
    fanotify, landlock, filter, chroot, setns, mount, mount_object, personality, realtime,
    identity, capabilities, dac_override, no_new_privileges, user_quota, host_quota,
    clock, host_name, hang_up, log, file_system, page_cache,
}

macos! {}
