//! Starting another process, or becoming another program.

pub(crate) mod marker;
#[cfg(target_os = "linux")]
pub(crate) mod program;

family! {
    fork, vfork, clone, clone3,
    exec_bin, exec_run, execveat, memfd_exec, ldso, re_exec, shebang,
    suid_bin, py_subprocess, fork_exec_raw, daemon,
    kernel_helper, helper_daemon, threads,
}

macos! {
    fork, vfork, exec_bin, exec_run, re_exec, shebang,
    py_subprocess, fork_exec_raw, daemon, helper_daemon, threads,
    suid_bin,
}
