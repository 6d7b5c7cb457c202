//! The strict filter: an allow-list, and an answer for each refusal that programs can live with.
//!
//! What is not named here is refused with `ENOSYS`, as on an older kernel: libraries then fall back,
//! and a call that a newer kernel adds is refused before anyone has heard of it. The other answers
//! are those that make a program say the right thing or go on. A family of calls is treated alike,
//! in its oldest and newest forms.

mod arguments;

use std::collections::BTreeMap;

use super::filter::{Action, Arch, Check, Errno, Filter, Rule};
use arguments::{
    AF_UNIX, ARCH_PRCTL_CODES, FCNTL_COMMANDS, IOCTL_REQUESTS, PRCTL_OPTIONS, PRIO_PROCESS,
    any_value, checked, clause, feigned, file_advice, limits_but_cores, memory_advice,
    no_urgent_data, no_whiteout, own_clocks, own_futexes, own_limits, own_process,
    own_socket_options, own_thread, plain_transfer, stream_type,
};

/// The strict filter of an architecture. Names that the architecture does not have are left out.
pub fn strict(arch: Arch) -> Filter {
    let rules = named_rules()
        .into_iter()
        .filter(|(name, _)| arch.number(name).is_some())
        .map(|(name, rule)| (name.to_owned(), rule))
        .collect();
    Filter {
        arch,
        foreign_arch: Action::KillProcess,
        x32: Action::KillProcess,
        default: Action::Errno(Errno::Enosys),
        rules,
    }
}

/// Every rule of the policy by name, for all architectures together.
fn named_rules() -> BTreeMap<&'static str, Rule> {
    let always = UNCONDITIONAL.iter().map(|&(names, action)| (names, Rule::Always(action)));
    always
        .chain(checked_rules())
        .flat_map(|(names, rule)| {
            names.split_ascii_whitespace().map(move |name| (name, rule.clone()))
        })
        .collect()
}

const UNCONDITIONAL: &[(&str, Action)] = &[
    (FILES, Action::Allow),
    (DESCRIPTORS, Action::Allow),
    (MEMORY, Action::Allow),
    (SIGNALS, Action::Allow),
    (THREADS, Action::Allow),
    (OWN_PROCESS, Action::Allow),
    (TIME, Action::Allow),
    (OWN_SOCKET_PAIR, Action::Allow),
    (PROCESS_CREATION, Action::Errno(Errno::Eperm)),
    (REACHING_OUT, Action::Errno(Errno::Eperm)),
    (OWNER_MODE_TIMES, Action::Errno(Errno::Success)),
    (EXTENDED_ATTRIBUTES, Action::Errno(Errno::Enotsup)),
    (SOCKETS, Action::Errno(Errno::Eacces)),
];

/// Files by path or descriptor. Landlock decides which; it checks when a file is opened, named,
/// linked, renamed or removed. What it does not check must not stand here: `renameat2` is checked below. `sendfile` and `splice` are left
/// out: they hold the lock of a pipe while they wait for the other side, and whoever reads the program's
/// output would wait with them, not to be killed (`splice_to_socket`, `pipe_read`).
const FILES: &str = "
    open openat openat2 creat read write readv writev pread64 pwrite64 preadv pwritev lseek
    truncate ftruncate fallocate fsync fdatasync flock copy_file_range stat fstat lstat newfstatat
    statx access faccessat faccessat2 readlink readlinkat statfs fstatfs getdents getdents64 getcwd
    chdir fchdir umask mkdir mkdirat rmdir unlink unlinkat rename renameat link linkat symlink
    symlinkat";

/// Descriptors of the program's own, and waiting for them.
const DESCRIPTORS: &str = "
    close close_range dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 epoll_create
    epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 timerfd_create
    timerfd_settime timerfd_gettime signalfd signalfd4";

/// The program's own memory. `cachestat` and `mincore` are left out: they tell what others have read.
const MEMORY: &str = "munmap mprotect mremap brk msync mlock munlock mlock2 membarrier mseal";

/// Handling signals; sending them is checked below.
const SIGNALS: &str = "
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend
    sigaltstack pause restart_syscall";

/// Threads of the program's own; starting one is checked below. The newest calls of the futex family are
/// left out: no C library needs them.
const THREADS: &str = "set_robust_list set_tid_address rseq gettid sched_yield getcpu";

/// What a program asks and sets about itself; limits are checked below. `wait4` and `waitid` see only children, and
/// there are none.
const OWN_PROCESS: &str = "
    getpid getppid exit exit_group getuid geteuid getgid getegid getgroups getresuid getresgid
    getpgrp uname sysinfo times getrusage getrlimit sched_get_priority_max
    sched_get_priority_min wait4 waitid getrandom";

/// Clocks and timers; those that name a clock are checked below.
const TIME: &str = "
    nanosleep gettimeofday time alarm setitimer getitimer timer_settime timer_gettime
    timer_getoverrun timer_delete";

/// Both ends of a socket pair are the program's own: a stream cannot be sent to another address. Sending
/// and receiving are checked below.
const OWN_SOCKET_PAIR: &str = "shutdown getsockname getpeername getsockopt";

/// A second process, or another program in this one. `clone` is checked below; `clone3` hides its
/// flags behind a pointer and gets `ENOSYS`, on which libraries fall back to `clone`.
const PROCESS_CREATION: &str = "fork vfork execve";

/// Other processes, identities, schedulers, mounts, device nodes; and `memfd_create`, whose files
/// have no path that Landlock could refuse to execute. FIFOs fall under `mknod`: one left in the run
/// directory blocks whoever opens it. `capget` names its process in memory, where no filter looks, and
/// tells the capabilities of any.
const REACHING_OUT: &str = "
    ptrace process_vm_readv process_vm_writev capget unshare setns chroot mount umount2 mknod mknodat
    memfd_create setsid setpgid sched_setscheduler sched_setparam sched_setattr setuid setgid
    setreuid setregid setresuid setresgid setfsuid setfsgid setgroups";

/// Owner, mode and times of files: Landlock does not control them, so a file outside could be
/// changed. They do nothing and report success, all members alike, because programs give up on any
/// error: `cp -p`, `shutil.copy` and `tar -xp` on the mode and the times, and as root `tar -x` and
/// `cp -a` on the owner too (`sqlite` ignores that one). New files belong to the program's user
/// and have the mode they were created with. Times are set by calls that are a question too, below.
const OWNER_MODE_TIMES: &str = "
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat";

/// Attributes beside a file's data, readable or not: Landlock does not control them. Programs that
/// copy take `ENOTSUP` for a file system without attributes.
const EXTENDED_ATTRIBUTES: &str = "
    setxattr lsetxattr fsetxattr setxattrat getxattr lgetxattr fgetxattr getxattrat listxattr
    llistxattr flistxattr listxattrat removexattr lremovexattr fremovexattr removexattrat
    file_getattr file_setattr";

/// Sockets of every kind. `EACCES` is what network libraries report as a denied permission. Messages can
/// carry descriptors: those under way count for all processes of a user together, and not as the program's
/// own (`too_many_unix_fds` in `net/core/scm.c`).
const SOCKETS: &str = "socket connect bind listen accept accept4 sendmsg sendmmsg";

/// The rules that look at arguments, by the names that share them.
fn checked_rules() -> Vec<(&'static str, Rule)> {
    let own_or_zero = || own_process(0, vec![]);
    vec![
        // Python's Path.touch() takes success for a file that is there, and makes none. A program asks by a path and
        // without times; touch(1), which has opened the file, by its descriptor.
        ("utime utimes", feigned([Check::null(1)], Errno::Eacces)),
        (
            "futimesat utimensat",
            feigned([Check::equals(0, libc::AT_FDCWD as u32), Check::null(2)], Errno::Eacces),
        ),
        // The launch itself needs one of each, and the filter is installed before it. Both take flags at last.
        ("execveat", Rule::Once { second: 4 }),
        ("landlock_restrict_self", Rule::Once { second: 1 }),
        ("clone", checked([clause([own_thread()])], Errno::Eperm)),
        // The Landlock signal scope stops signals too, but not before its sixth version. A thread's
        // id is not the process id, so `tkill` reaches the main thread only.
        (
            "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo",
            checked([clause([Check::own_pid(0)])], Errno::Eperm),
        ),
        (
            "sched_setaffinity sched_getparam sched_getscheduler sched_getattr
             sched_rr_get_interval getpgid getsid get_robust_list",
            checked(own_or_zero(), Errno::Eperm),
        ),
        // A process without capabilities cannot raise a hard limit. GnuPG goes on without a limit of cores where a
        // system knows none, and gives up on other errors.
        ("prlimit64", checked(own_limits(), Errno::Enosys)),
        ("setrlimit", checked(limits_but_cores(0).map(|check| clause([check])), Errno::Enosys)),
        // glibc's pthread_getattr_np asks with a thread's id. It takes ENOSYS for a kernel without
        // affinities and fails on any other error.
        ("sched_getaffinity", checked(own_or_zero(), Errno::Enosys)),
        // (which, who): PRIO_PROCESS only, as a group or a user includes others.
        (
            "getpriority setpriority",
            checked(own_process(1, vec![Check::equals(0, PRIO_PROCESS)]), Errno::Eperm),
        ),
        (
            "clock_gettime clock_getres clock_nanosleep timer_create",
            checked(own_clocks(), Errno::Einval),
        ),
        // A stream pair only: a datagram socket can be sent to any path, whatever its peer is.
        (
            "socketpair",
            checked([clause([Check::equals(0, AF_UNIX), stream_type()])], Errno::Eacces),
        ),
        ("sendto", checked([clause([Check::null(4), no_urgent_data(3)])], Errno::Eacces)),
        ("recvfrom recvmmsg", checked([clause([no_urgent_data(3)])], Errno::Eacces)),
        ("recvmsg", checked([clause([no_urgent_data(2)])], Errno::Eacces)),
        ("setsockopt", checked(own_socket_options(), Errno::Enotsup)),
        ("futex", checked(own_futexes(), Errno::Enosys)),
        ("renameat2", checked([clause([no_whiteout()])], Errno::Eperm)),
        ("preadv2 pwritev2", checked([clause([plain_transfer()])], Errno::Enotsup)),
        // Advice may be ignored: programs that want a file out of memory go on.
        ("fadvise64", checked([clause([file_advice()])], Errno::Success)),
        ("madvise", checked(memory_advice(), Errno::Eperm)),
        // Huge pages are a store of the whole host, which its administrator filled for somebody.
        ("mmap", checked([clause([Check::masked(3, libc::MAP_HUGETLB as u32, 0)])], Errno::Eperm)),
        ("ioctl", checked(any_value(1, &IOCTL_REQUESTS), Errno::Enotty)),
        ("fcntl", checked(any_value(1, &FCNTL_COMMANDS), Errno::Eperm)),
        ("prctl", checked(any_value(0, &PRCTL_OPTIONS), Errno::Eperm)),
        ("arch_prctl", checked(any_value(0, &ARCH_PRCTL_CODES), Errno::Einval)),
    ]
}

#[cfg(test)]
mod tests;
