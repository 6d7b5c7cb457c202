//! Reading the content of a file that the policy does not grant.

mod descriptor;

family! {
    open, openat2, dot_dot, symlink, reopen, link_in, rename_in,
    handle, clone_fd, io_uring,
}
