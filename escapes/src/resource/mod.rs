//! Resources: time, memory, processes, descriptors, disk and output beyond what the policy states. They
//! are limits, reported apart from the tier. Each act asks for little more than a narrow limit.

mod stay;

family! {
    sleep, stop_self, leave_leader, spin, memory, memory_file, pipe_memory, descriptors,
    fork_bomb, suspend_parent, hold_pipe, fill_disk, large_file, flood_output, raise_limit, core_handler,
}

macos! { sleep, stop_self, spin, descriptors, fork_bomb, hold_pipe, fill_disk, large_file }
