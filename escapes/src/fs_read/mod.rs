//! Reading the content of a file that the policy does not grant.

mod descriptor;
#[cfg(target_os = "linux")]
pub(crate) mod handles;

family! {
    open, openat2, dot_dot, symlink, reopen, link_in, rename_in,
    proc_root, proc_fd, proc_mem, proc_environ, proc_cmdline,
    inherited, inherited_copy, dir_fd,
    handle, clone_fd, io_uring, shm_dev, device, beside,
}

macos! {
    open, dot_dot, symlink, link_in, rename_in,
    inherited, inherited_copy, dir_fd, beside,
}
