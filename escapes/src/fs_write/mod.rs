//! Changing what lies outside the policy: content, names, and all that is written beside them.

mod decoy;
pub(crate) mod effect;

family! {
    create, write, truncate, delete, rename_over, move_out, tmp_file,
    chmod, chown, utime, set_xattr, ioctl_flags, lock, io_uring, handle,
    inherited_write, inherited_owner, reopen,
    evidence, pycache, core_dump, proc_sys, second_name, route, route_at, route_owner, read_only,
}

macos! {
    create, write, truncate, delete, rename_over, move_out,
    chmod, chown, utime, set_xattr, lock,
    inherited_write, inherited_owner, reopen,
    evidence, pycache, second_name, route, route_owner, read_only,
}
