//! What Seatbelt is not known to hold, escape by escape: the backend declares it, so that a verdict on a Mac
//! calls it residue, and the questions to the profile give the same reasons.

/// A descriptor gets an owner by a request of ioctl(2). XNU asks of `F_SETOWN` by `mac_file_check_fcntl`, and
/// the profile denies it; of `FIOSETOWN` on a socket or a pipe it asks by `mac_file_check_ioctl` alone
/// (`bsd/kern/sys_generic.c`), and no operation of the profile language is known to answer there.
pub const OWNER: &str = "the owner of a socket or pipe can be set by ioctl(2) (FIOSETOWN): no operation of the profile language is known to be asked; F_SETOWN is denied";

/// XNU holds an address space to `RLIMIT_AS` since macOS 12 (`vm_map_enter` in `osfmk/vm/vm_map.c`), with the
/// shared cache of some gigabytes in it: what to set for a program to start is known on a Mac alone.
pub const MEMORY: &str = "a policy that limits memory is refused: RLIMIT_AS counts the shared cache of the system's libraries, whose size is not known before a start";

/// A thread of the one process that a program is: macOS bounds their number for the whole host alone.
pub const THREADS: &str = "macOS bounds the number of a program's threads for the whole host alone";

/// Waiting at an address (`os_sync_wait_on_address(3)`) is no operation of the profile language.
pub const WAITS: &str =
    "not known whether one who may only read can wait where others wait; no operation is asked";

/// XNU finds a process before it asks whether it may be signalled, and asks nothing before it tells a group,
/// session or niceness or watches for the end (`kill`, `getpgid`, `getsid`, `getpriority`, `filt_procattach`).
pub const NUMBERS: &str = "which numbers processes have is told by the errno of calls that a program makes of itself too, and a profile cannot tell these apart";

/// Ids of escapes, or beginnings of them with a star, and why each is not held.
pub const GAPS: [(&str, &str); 9] = [
    ("exec/threads", THREADS),
    ("ipc/futex-wait*", WAITS),
    ("macos/tasks.*", NUMBERS),
    ("metadata/tasks.group", NUMBERS),
    ("metadata/tasks.priority", NUMBERS),
    ("metadata/tasks.session", NUMBERS),
    ("metadata/tasks.signal", NUMBERS),
    ("process/sigio.ioctl", OWNER),
    ("resource/memory*", MEMORY),
];
