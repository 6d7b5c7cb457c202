//! What only macOS has (its services, its spellings of a path, its ways to begin a process), and the
//! macOS form of acts whose Linux form makes calls of Linux. Each says so in its techniques.
//!
//! What has no effect that can be seen from outside (a service that is looked up, a clipboard that is
//! the user's own) is no escape here; the profile is asked for it all the same: `seatbelt::guards`.

macos! {
    launch_services, apple_event, launch_agent, private_path, read_deny_move, hard_link_alias,
    specific_operation, unix_socket, process_arguments, tasks, signal, posix_spawn, nested, shared_memory,
    change_file, list_directory, host, profile_file, tcp_connect, udp, inherited,
    loader_variable, name_service, notification, open_files,
}
