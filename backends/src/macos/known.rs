//! What a profile knows by name or number: variables of the kernel, controls of descriptors and requests to sockets
//! that are allowed, and system calls that are denied.

/// The kernel's variables that runtimes read when they start. Not among them: `kern.procargs2` and
/// `kern.proc.*`, which are the arguments, environment and list of other processes, `kern.hostname`,
/// and anything by prefix.
pub(super) const VARIABLES: [&str; 27] = [
    "hw.activecpu",
    "hw.byteorder",
    "hw.cachelinesize_compat",
    "hw.cpufamily",
    "hw.cputype",
    "hw.logicalcpu",
    "hw.logicalcpu_max",
    "hw.machine",
    "hw.memsize",
    "hw.ncpu",
    "hw.nperflevels",
    "hw.pagesize",
    "hw.pagesize_compat",
    "hw.physicalcpu",
    "hw.physicalcpu_max",
    "kern.argmax",
    "kern.maxfilesperproc",
    "kern.osproductversion",
    "kern.osrelease",
    "kern.ostype",
    "kern.osvariant_status",
    "kern.osversion",
    "kern.secure_kernel",
    "kern.usrstack64",
    "kern.version",
    "sysctl.proc_cputype",
    "vm.malloc_ranges",
];

/// The controls of a descriptor (fcntl(2), by their numbers in `sys/fcntl.h`) that programs and the loader
/// use: on duplicates, flags, locks, read-ahead and caching, flushing, room on the disk, paths, signatures.
/// Not among them: `F_SETOWN` (6), by which the kernel signals a process outside; `F_MAKECOMPRESSED` (80)
/// and `F_TRANSFEREXTENTS` (110), which change a file that is open for reading alone.
pub(super) const CONTROLS: [u32; 24] =
    [0, 1, 2, 3, 4, 7, 8, 9, 42, 44, 45, 48, 50, 51, 67, 73, 74, 85, 90, 91, 92, 97, 98, 102];

/// The requests to a socket (ioctl(2), by their numbers in `sys/filio.h`) that programs make: how much there
/// is to read, and whether to wait or be signalled, which XNU sets with the flags of a descriptor. Not among
/// them: `SIOCSPGRP`, which names whom the kernel signals, and what tells of interfaces.
pub(super) const REQUESTS: [u32; 3] = [0x4004_667f, 0x8004_667d, 0x8004_667e];

/// The system calls of System V IPC, by number (`bsd/kern/syscalls.master` of XNU): `semsys`, `msgsys`,
/// `shmsys`, then those of semaphores, of queues and of memory. Public measurements say that a denial of
/// `ipc-sysv*` does not stop them, and what they make outlives the program.
pub(super) const SYSTEM_V: [u32; 14] =
    [251, 252, 253, 254, 255, 256, 258, 259, 260, 261, 262, 263, 264, 265];

/// The system calls that tell of the whole host and ask nobody, by number: `getfsstat`, `getfsstat64` and
/// `__mac_getfsstat` list what is mounted, `gethostuuid` tells the identity of the hardware. Public measurements
/// from inside a profile say that `(deny default)` leaves them open, and that interpreters do without them.
pub(super) const HOST: [u32; 4] = [18, 142, 347, 426];
