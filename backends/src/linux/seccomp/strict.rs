//! The strict filter: an allow-list, and an answer for each refusal that programs can live with.
//!
//! What is not named here is refused with `ENOSYS`, as on an older kernel: libraries then fall back,
//! and a call that a newer kernel adds is refused before anyone has heard of it. The other answers
//! are those that make a program say the right thing or go on. A family of calls is treated alike,
//! in its oldest and newest forms.

use std::collections::BTreeMap;

use super::filter::{Action, Arch, Check, Clause, Errno, Filter, Rule};

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
    (EXECVEAT, Action::Notify),
    (PROCESS_CREATION, Action::Errno(Errno::Eperm)),
    (REACHING_OUT, Action::Errno(Errno::Eperm)),
    (OWNER_MODE_TIMES, Action::Errno(Errno::Success)),
    (EXTENDED_ATTRIBUTES, Action::Errno(Errno::Enotsup)),
    (SOCKETS, Action::Errno(Errno::Eacces)),
];

/// Files by path or descriptor. Landlock decides which; it checks when a file is opened, named,
/// linked, renamed or removed. What it does not check must not stand here.
const FILES: &str = "
    open openat openat2 creat read write readv writev pread64 pwrite64 preadv pwritev preadv2
    pwritev2 lseek truncate ftruncate fallocate fadvise64 fsync fdatasync flock sendfile
    copy_file_range splice stat fstat lstat newfstatat statx access faccessat faccessat2 readlink
    readlinkat statfs fstatfs getdents getdents64 getcwd chdir fchdir umask mkdir mkdirat rmdir
    unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat";

/// Descriptors of the program's own, and waiting for them.
const DESCRIPTORS: &str = "
    close close_range dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 epoll_create
    epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 timerfd_create
    timerfd_settime timerfd_gettime signalfd signalfd4";

/// The program's own memory. `cachestat` is left out: it tells what others have read.
const MEMORY: &str = "
    mmap munmap mprotect mremap madvise brk msync mincore mlock munlock mlock2 membarrier mseal";

/// Handling signals; sending them is checked below.
const SIGNALS: &str = "
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend
    sigaltstack pause restart_syscall";

/// Threads of the program's own; starting one is checked below.
const THREADS: &str = "
    futex futex_waitv futex_wake futex_wait futex_requeue set_robust_list set_tid_address rseq
    gettid sched_yield getcpu";

/// What a program asks and sets about itself. `setrlimit` has no other target, and a process without
/// capabilities cannot raise a hard limit. `wait4` and `waitid` see only children, and there are none.
const OWN_PROCESS: &str = "
    getpid getppid exit exit_group getuid geteuid getgid getegid getgroups getresuid getresgid
    getpgrp capget uname sysinfo times getrusage getrlimit setrlimit sched_get_priority_max
    sched_get_priority_min wait4 waitid getrandom";

/// Clocks and timers; those that name a clock are checked below.
const TIME: &str = "
    nanosleep gettimeofday time alarm setitimer getitimer timer_settime timer_gettime
    timer_getoverrun timer_delete";

/// Both ends of a socket pair are the program's own: a stream cannot be sent to another address.
const OWN_SOCKET_PAIR: &str = "
    recvfrom recvmsg recvmmsg sendmsg shutdown getsockname getpeername getsockopt setsockopt";

/// The launch itself needs one `execveat`, and the filter is installed before it. The listener lets
/// exactly one pass and is closed; from then on the kernel answers `ENOSYS`. A check of the arguments
/// cannot do this: an absolute path makes the call ignore its descriptor.
const EXECVEAT: &str = "execveat";

/// A second process, or another program in this one. `clone` is checked below; `clone3` hides its
/// flags behind a pointer and gets `ENOSYS`, on which libraries fall back to `clone`.
const PROCESS_CREATION: &str = "fork vfork execve";

/// Other processes, identities, schedulers, mounts, device nodes; and `memfd_create`, whose files
/// have no path that Landlock could refuse to execute. FIFOs fall under `mknod`: one left in the run
/// directory blocks whoever opens it.
const REACHING_OUT: &str = "
    ptrace process_vm_readv process_vm_writev unshare setns chroot mount umount2 mknod mknodat
    memfd_create setsid setpgid sched_setscheduler sched_setparam sched_setattr setuid setgid
    setreuid setregid setresuid setresgid setfsuid setfsgid setgroups";

/// Owner, mode and times of files: Landlock does not control them, so a file outside could be
/// changed. They do nothing and report success, all members alike, because programs give up on any
/// error: `cp -p`, `shutil.copy` and `tar -xp` on the mode and the times, and as root `tar -x` and
/// `cp -a` on the owner too (`sqlite` ignores that one). New files belong to the program's user
/// and have the mode they were created with.
const OWNER_MODE_TIMES: &str = "
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat";

/// Attributes beside a file's data, readable or not: Landlock does not control them. Programs that
/// copy take `ENOTSUP` for a file system without attributes.
const EXTENDED_ATTRIBUTES: &str = "
    setxattr lsetxattr fsetxattr setxattrat getxattr lgetxattr fgetxattr getxattrat listxattr
    llistxattr flistxattr listxattrat removexattr lremovexattr fremovexattr removexattrat
    file_getattr file_setattr";

/// Sockets of every kind. `EACCES` is what network libraries report as a denied permission.
const SOCKETS: &str = "socket connect bind listen accept accept4 sendmmsg";

/// The rules that look at arguments, by the names that share them.
fn checked_rules() -> Vec<(&'static str, Rule)> {
    let own_or_zero = || own_process(0, vec![]);
    vec![
        ("clone", checked([clause([own_thread()])], Errno::Eperm)),
        // The Landlock signal scope stops signals too, but not before its sixth version. A thread's
        // id is not the process id, so `tkill` reaches the main thread only.
        (
            "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo",
            checked([clause([Check::own_pid(0)])], Errno::Eperm),
        ),
        (
            "sched_setaffinity sched_getparam sched_getscheduler sched_getattr
             sched_rr_get_interval getpgid getsid get_robust_list prlimit64",
            checked(own_or_zero(), Errno::Eperm),
        ),
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
        ("sendto", checked([clause([Check::null(4)])], Errno::Eacces)),
        ("ioctl", checked(any_value(1, &IOCTL_REQUESTS), Errno::Enotty)),
        ("fcntl", checked(any_value(1, &FCNTL_COMMANDS), Errno::Eperm)),
        ("prctl", checked(any_value(0, &PRCTL_OPTIONS), Errno::Eperm)),
        ("arch_prctl", checked(any_value(0, &ARCH_PRCTL_CODES), Errno::Einval)),
    ]
}

/// `clone` flags of a thread: the three that make one are set, and none that a thread does not need.
/// The kernel uses the low 32 bits (`lower_32_bits` in `kernel/fork.c`). The low byte, a signal for
/// the parent, must be zero as well.
fn own_thread() -> Check {
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
fn own_process(argument: u8, also: Vec<Check>) -> Vec<Clause> {
    [Check::equals(argument, 0), Check::own_pid(argument)]
        .into_iter()
        .map(|check| clause(also.iter().copied().chain([check])))
        .collect()
}

/// Clocks that are no other process's. A negative id is a CPU clock, `~id << 3` and three bits. With
/// the third of them set it is a thread's, and the kernel looks that up among the caller's threads
/// only (`pid_for_clock` in `kernel/time/posix-cpu-timers.c`). Without it it is a process's, and the
/// caller's if `id` is 0, which glibc's `clock_getcpuclockid` asks for.
fn own_clocks() -> [Clause; 3] {
    const NEGATIVE: u32 = 1 << 31;
    const THREAD: u32 = NEGATIVE | 1 << 2;
    const PROCESS_0: u32 = !0 << 3;
    [(NEGATIVE, 0), (THREAD, THREAD), (PROCESS_0, PROCESS_0)]
        .map(|(mask, value)| clause([Check::masked(0, mask, value)]))
}

/// A `socketpair` type of `SOCK_STREAM` with or without its two flags.
fn stream_type() -> Check {
    const FLAGS: i32 = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    Check::masked(1, !FLAGS as u32, libc::SOCK_STREAM as u32)
}

const AF_UNIX: u32 = libc::AF_UNIX as u32;
/// `sys/resource.h`; the type of the constant in `libc` depends on the C library.
const PRIO_PROCESS: u32 = 0;

/// Requests about the descriptor itself, and two that ask a terminal. No `TIOCSTI`, no
/// `FS_IOC_SETFLAGS`.
const IOCTL_REQUESTS: [u32; 6] = [
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
const FCNTL_COMMANDS: [u32; 15] = [
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
/// already and cannot be cleared: programs that confine themselves give up where it is refused. No `PR_SET_PDEATHSIG`, `PR_SET_DUMPABLE`,
/// `PR_SET_PTRACER`, `PR_SET_MM` or `PR_SET_SECCOMP`.
const PRCTL_OPTIONS: [u32; 11] = [
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
const ARCH_PRCTL_CODES: [u32; 3] = [0x1002, 0x1003, 0x3001];

fn checked(allow_if: impl IntoIterator<Item = Clause>, otherwise: Errno) -> Rule {
    Rule::Checked { allow_if: allow_if.into_iter().collect(), otherwise }
}

fn clause(checks: impl IntoIterator<Item = Check>) -> Clause {
    checks.into_iter().collect()
}

fn any_value(argument: u8, values: &[u32]) -> Vec<Clause> {
    values.iter().map(|&value| clause([Check::equals(argument, value)])).collect()
}

#[cfg(test)]
mod tests;
