//! What Seatbelt is not known to hold, escape by escape: the backend declares it, so that a verdict on a Mac
//! calls it residue, and the questions to the profile give the same reasons.

/// A descriptor gets an owner by a request of ioctl(2). XNU asks of `F_SETOWN` by `mac_file_check_fcntl` and of
/// `SIOCSPGRP` by `mac_socket_check_ioctl`, and the profile denies both (`system-fcntl`, `socket-ioctl`). It
/// answers `FIOSETOWN` in `ioctl` itself (`bsd/kern/sys_generic.c`), before it knows of a socket, and `TIOCSPGRP` on
/// a pipe in `pipe_ioctl`; there it asks by `mac_file_check_ioctl` and `mac_pipe_check_ioctl` alone, for which no
/// public list of the hooks of Apple's policy has one. To deny ioctl(2) by its number would close it, and with
/// it `FIOCLEX` and `FIONBIO`, by which Rust and Python set flags of what they open.
pub const OWNER: &str = "the owner of a socket or pipe can be set by ioctl(2) (FIOSETOWN): no operation of the profile language is known to be asked; F_SETOWN and SIOCSPGRP are denied";

/// XNU holds an address space to `RLIMIT_AS` since macOS 12 (`vm_map_enter` in `osfmk/vm/vm_map.c`), with the
/// shared cache of some gigabytes in it: what to set for a program to start is known on a Mac alone. No rule of
/// a profile bounds an amount. The other bound, on what is touched (`taskpolicy -m`, the spawn attribute
/// `posix_spawnattr_setjetsam_ext`), is another one than the policy states, and holds for the one image that is
/// spawned with it: public measurements say that the execution by `sandbox-exec` loses it.
pub const MEMORY: &str = "a policy that limits memory is refused: RLIMIT_AS counts the shared cache of the system's libraries, whose size is not known before a start; a limit of what is touched is lost when sandbox-exec becomes the program";

/// A thread of the one process that a program is: macOS bounds their number for the whole host alone. The limit
/// that a spawn may state (`posix_spawnattr_set_threadlimit_ext`) raises an exception, and that in kernels of
/// developers alone (`exc_resource_threads_enabled` in `osfmk/kern/thread.c`). To deny the calls that make a
/// thread would leave a program none.
pub const THREADS: &str = "macOS bounds the number of a program's threads for the whole host alone";

/// Waiting at an address (`os_sync_wait_on_address(3)`) is no operation of the profile language. The call beneath
/// (`__ulock_wait`, `bsd/kern/sys_ulock.c`) finds the place by what is mapped, whatever the rights to it, and is
/// the call of every lock of the system's libraries, so that it cannot be denied by its number; that the memory
/// is shared is an argument, which no filter sees.
pub const WAITS: &str = "who may read a file can wait and wake where others wait in it: the call is that of every lock of the system's libraries, and no operation is asked";

/// XNU finds a process before it asks whether it may be signalled, and asks nothing before it tells a group,
/// session or niceness or watches for the end (`kill`, `getpgid`, `getsid`, `getpriority`, `filt_procattach`). Some
/// of these calls could be denied by their numbers, as others do. The kind would stay open: kevent(2), of which
/// every event loop is made, tells the same, and so do `proc_info` and `csops`, which the loader and the C
/// library ask of the program itself; and kill(2) of oneself is useful work.
pub const NUMBERS: &str = "which numbers processes have is told by the errno of calls that a program makes of itself too, and a profile cannot tell these apart";

/// The kernel shares a page with every program, in which the size of the memory stands (`_COMM_PAGE_MEMORY_SIZE`
/// in `osfmk/arm/cpu_capabilities.h`): reading it asks nobody. Runtimes read `hw.memsize` when they start.
pub const SIZE: &str =
    "how much memory the host has stands in a page that the kernel shares with every program";

/// Ids of escapes, or beginnings of them with a star, and why each is not held.
pub const GAPS: [(&str, &str); 10] = [
    ("exec/threads", THREADS),
    ("ipc/futex-wait*", WAITS),
    ("macos/tasks.*", NUMBERS),
    ("metadata/host.memory", SIZE),
    ("metadata/tasks.group", NUMBERS),
    ("metadata/tasks.priority", NUMBERS),
    ("metadata/tasks.session", NUMBERS),
    ("metadata/tasks.signal", NUMBERS),
    ("process/sigio.ioctl", OWNER),
    ("resource/memory*", MEMORY),
];
