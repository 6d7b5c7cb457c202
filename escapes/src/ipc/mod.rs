//! What processes share without a file: System V objects, keys, queues, pipes, terminals.

#[cfg(target_os = "linux")]
mod crowd;
mod file_words;
#[cfg(target_os = "linux")]
pub(crate) mod keyring;
pub(crate) mod sysv;
#[cfg(target_os = "linux")]
mod sysv_calls;
#[cfg(target_os = "macos")]
mod sysv_calls_macos;

family! {
    sysv_read, sysv_write, sysv_remove, sysv_persist,
    key_read, key_plant, mq_read, mq_unlink,
    shm_named, pipe_inherit, pty_master, descriptor_fetch, display,
    terminal, shared_file, shared_placement, file_futex, futex_wait,
}

macos! {
    sysv_read, sysv_write, sysv_remove, sysv_persist,
    pipe_inherit, pty_master, descriptor_fetch, display, terminal, shared_file,
    futex_wait,
}
