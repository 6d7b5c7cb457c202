//! Changing what lies outside the policy: content, names, and all that is written beside them.

#[cfg(target_os = "linux")]
mod decoy;
pub(crate) mod effect;

family! {
    create, write, truncate, delete, rename_over, move_out, tmp_file,
    chmod, chown, utime, set_xattr, ioctl_flags, lock,
    inherited_write, inherited_owner, reopen,
    evidence, pycache, core_dump, proc_sys, second_name, route, read_only,
}

macos! { delete, rename_over, move_out, evidence, pycache }
