//! What the strict filter asks of arguments: the values by which a call stays with the program itself.

use crate::linux::seccomp::filter::{Check, Clause, Errno, Rule};

/// `clone` flags of a thread: the three that make one are set, and none that a thread does not need.
/// The kernel uses the low 32 bits (`lower_32_bits` in `kernel/fork.c`). The low byte, a signal for
/// the parent, must be zero as well.
pub(super) fn own_thread() -> Check {
    const REQUIRED: i32 = libc::CLONE_VM | libc::CLONE_SIGHAND | libc::CLONE_THREAD;
    const OPTIONAL: i32 = libc::CLONE_FS
        | libc::CLONE_FILES
        | libc::CLONE_SYSVSEM
        | libc::CLONE_SETTLS
        | libc::CLONE_PARENT_SETTID
        | libc::CLONE_CHILD_CLEARTID
        | libc::CLONE_CHILD_SETTID
        | libc::CLONE_DETACHED;
    Check::masked(0, !OPTIONAL as u32, REQUIRED as u32)
}

/// The process in `argument` is 0, which means the caller, or the caller's id; and `also` holds.
pub(super) fn own_process(argument: u8, also: Vec<Check>) -> Vec<Clause> {
    [Check::equals(argument, 0), Check::own_pid(argument)]
        .into_iter()
        .map(|check| clause(also.iter().copied().chain([check])))
        .collect()
}

/// Asks for any limit of the own process, or sets one.
pub(super) fn own_limits() -> Vec<Clause> {
    let sets = limits_but_cores(1).map(|limit| vec![limit]);
    [vec![Check::null(2)]].into_iter().chain(sets).flat_map(|also| own_process(0, also)).collect()
}

/// The resource in `argument` is not `RLIMIT_CORE`: it differs from that, 4, in one of the bits that a resource can have,
/// 0 to 15. A single bit is the cheapest thing to look at.
///
/// The launch allows one byte of a core, with which the kernel starts no handler of the host; with none it does
/// (`coredump_pipe` in `fs/coredump.c`), and nobody needs privileges to lower a limit.
pub(super) fn limits_but_cores(argument: u8) -> [Check; 4] {
    [(1, 1), (2, 2), (4, 0), (8, 8)].map(|(mask, bit)| Check::masked(argument, mask, bit))
}

/// Clocks that are no other process's. A negative id is a CPU clock, `~id << 3` and three bits. With
/// the third of them set it is a thread's, and the kernel looks that up among the caller's threads
/// only (`pid_for_clock` in `kernel/time/posix-cpu-timers.c`). Without it it is a process's, and the
/// caller's if `id` is 0, which glibc's `clock_getcpuclockid` asks for.
pub(super) fn own_clocks() -> [Clause; 3] {
    const NEGATIVE: u32 = 1 << 31;
    // Of an id that is not negative it says nothing, and those are allowed anyway.
    const THREAD: u32 = 1 << 2;
    const PROCESS_0: u32 = !0 << 3;
    [(NEGATIVE, 0), (THREAD, THREAD), (PROCESS_0, PROCESS_0)]
        .map(|(mask, value)| clause([Check::masked(0, mask, value)]))
}

/// A `socketpair` type of `SOCK_STREAM` with or without its two flags.
pub(super) fn stream_type() -> Check {
    const FLAGS: i32 = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    Check::masked(1, !FLAGS as u32, libc::SOCK_STREAM as u32)
}

/// No `MSG_OOB` in the flags: streams of Unix sockets have urgent data for hardly anybody, and code in the
/// kernel that was wrong more than once (CVE-2025-38236).
pub(super) fn no_urgent_data(argument: u8) -> Check {
    Check::masked(argument, libc::MSG_OOB as u32, 0)
}

/// Sizes of buffers and times to wait: (socket, level, option). No filter, which is a program for the
/// kernel to run, and nothing that a device or a network is told.
pub(super) fn own_socket_options() -> Vec<Clause> {
    [libc::SO_SNDBUF, libc::SO_RCVBUF, libc::SO_SNDTIMEO, libc::SO_RCVTIMEO, libc::SO_KEEPALIVE]
        .map(|option| {
            let level = Check::equals(1, libc::SOL_SOCKET as u32);
            clause([level, Check::equals(2, option as u32)])
        })
        .into()
}

/// Waiting and waking, and in the program's own memory moving waiters and changing the word: in glibc whoever
/// joins a thread waits at a shared futex, and musl wakes at one. At the address of a file, which needs no right
/// to write, others may wait too; they must not be moved elsewhere, nor find their word changed. No futex with
/// priority inheritance (`FUTEX_LOCK_PI` and its like), private or not: its word names its owner, in memory that
/// no filter sees, and the kernel looks that thread up among all of the host (`attach_to_pi_owner` in
/// `kernel/futex/pi.c`).
pub(super) fn own_futexes() -> Vec<Clause> {
    let (clock, private) = (libc::FUTEX_CLOCK_REALTIME as u32, libc::FUTEX_PRIVATE_FLAG as u32);
    let own = |operation: i32| private | operation as u32;
    // Waking has the number after waiting, and changing a word that after comparing one.
    [
        (!(clock | private | 1), libc::FUTEX_WAIT as u32),
        (!(clock | private), libc::FUTEX_WAIT_BITSET as u32),
        (!clock, own(libc::FUTEX_WAKE_BITSET)),
        (!clock, own(libc::FUTEX_REQUEUE)),
        (!(clock | 1), own(libc::FUTEX_CMP_REQUEUE)),
    ]
    .map(|(mask, value)| clause([Check::masked(1, mask, value)]))
    .into()
}

/// Flags that say what becomes of a name that is there. No `RENAME_WHITEOUT`, which leaves a character device
/// behind: the file system makes it, and Landlock is not asked. On a layer of an overlay it takes away what
/// other layers hold under that name.
pub(super) fn no_whiteout() -> Check {
    let flags = libc::RENAME_NOREPLACE | libc::RENAME_EXCHANGE;
    Check::masked(4, !flags, 0)
}

/// The flags that an opened file could have too. No `RWF_NOWAIT`, which tells what others have read, and no
/// `RWF_NOAPPEND`.
pub(super) fn plain_transfer() -> Check {
    let flags = libc::RWF_DSYNC | libc::RWF_SYNC | libc::RWF_APPEND;
    Check::masked(5, !flags as u32, 0)
}

/// How the program will read: `POSIX_FADV_NORMAL` to `POSIX_FADV_WILLNEED`, which are 0 to 3. No
/// `POSIX_FADV_DONTNEED`, which throws out of memory what others read, too.
pub(super) fn file_advice() -> Check {
    Check::masked(3, !3, 0)
}

/// Advice that concerns the program's own pages. No `MADV_COLD` or `MADV_PAGEOUT`, which reach those of
/// files that others read, and no `MADV_MERGEABLE`, by which the time of a write tells what others hold.
pub(super) fn memory_advice() -> Vec<Clause> {
    // MADV_GUARD_INSTALL and MADV_GUARD_REMOVE, which glibc sets at the end of a stack (Linux 6.13).
    const GUARDS: i32 = 102;
    let values: Vec<u32> = [
        (4, libc::MADV_NORMAL),
        (1, libc::MADV_DONTNEED),
        (4, libc::MADV_FREE),
        (2, libc::MADV_HUGEPAGE),
        (4, libc::MADV_DONTDUMP),
        (2, libc::MADV_POPULATE_READ),
        (2, GUARDS),
    ]
    .into_iter()
    .flat_map(|(run, first)| (first..first + run).map(|advice| advice as u32))
    .collect();
    any_value(2, &values)
}

pub(super) const AF_UNIX: u32 = libc::AF_UNIX as u32;
/// `sys/resource.h`; the type of the constant in `libc` depends on the C library.
pub(super) const PRIO_PROCESS: u32 = 0;

/// Requests about the descriptor itself, and two that ask a terminal. No `TIOCSTI`, no
/// `FS_IOC_SETFLAGS`.
pub(super) const IOCTL_REQUESTS: [u32; 6] = [
    libc::TCGETS as u32,
    libc::TIOCGWINSZ as u32,
    libc::FIONREAD as u32,
    libc::FIONBIO as u32,
    libc::FIONCLEX as u32,
    libc::FIOCLEX as u32,
];

/// Commands about the descriptor itself and its locks. No `F_SETOWN` or `F_SETSIG`, which send signals;
/// no `F_SETLEASE` or `F_NOTIFY`, which watch others; no `F_SETPIPE_SZ`, which takes memory of the kernel
/// that no limit of the program counts.
pub(super) const FCNTL_COMMANDS: [u32; 15] = [
    libc::F_DUPFD as u32,
    libc::F_GETFD as u32,
    libc::F_SETFD as u32,
    libc::F_GETFL as u32,
    libc::F_SETFL as u32,
    libc::F_GETLK as u32,
    libc::F_SETLK as u32,
    libc::F_SETLKW as u32,
    libc::F_OFD_GETLK as u32,
    libc::F_OFD_SETLK as u32,
    libc::F_OFD_SETLKW as u32,
    libc::F_DUPFD_CLOEXEC as u32,
    libc::F_GETPIPE_SZ as u32,
    libc::F_ADD_SEALS as u32,
    libc::F_GET_SEALS as u32,
];

/// Options that ask, two that give names, and the one that makes sure of `no_new_privs`, which is set
/// already and cannot be cleared: programs that confine themselves give up where it is refused. No
/// `PR_SET_PDEATHSIG`, `PR_SET_DUMPABLE`, `PR_SET_PTRACER`, `PR_SET_MM` or `PR_SET_SECCOMP`.
pub(super) const PRCTL_OPTIONS: [u32; 11] = [
    libc::PR_GET_PDEATHSIG as u32,
    libc::PR_GET_DUMPABLE as u32,
    libc::PR_SET_NAME as u32,
    libc::PR_GET_NAME as u32,
    libc::PR_GET_SECCOMP as u32,
    libc::PR_CAPBSET_READ as u32,
    libc::PR_GET_SECUREBITS as u32,
    libc::PR_GET_TIMERSLACK as u32,
    libc::PR_SET_NO_NEW_PRIVS as u32,
    libc::PR_GET_NO_NEW_PRIVS as u32,
    libc::PR_SET_VMA as u32,
];

/// `ARCH_SET_FS`, `ARCH_GET_FS` and glibc's question for shadow stacks, `asm/prctl.h`.
pub(super) const ARCH_PRCTL_CODES: [u32; 3] = [0x1002, 0x1003, 0x3001];

pub(super) fn checked(allow_if: impl IntoIterator<Item = Clause>, otherwise: Errno) -> Rule {
    Rule::Checked { allow_if: allow_if.into_iter().collect(), otherwise }
}

/// What never happens and is told as done, but where these checks hold.
pub(super) fn feigned(refuse_if: impl IntoIterator<Item = Check>, refused: Errno) -> Rule {
    Rule::Feigned { refuse_if: [clause(refuse_if)].into(), refused }
}

pub(super) fn clause(checks: impl IntoIterator<Item = Check>) -> Clause {
    checks.into_iter().collect()
}

pub(super) fn any_value(argument: u8, values: &[u32]) -> Vec<Clause> {
    values.iter().map(|&value| clause([Check::equals(argument, value)])).collect()
}
