//! Tests of the strict policy: what it allows, what it refuses and with which answer.

use std::collections::BTreeSet;

use super::super::{SeccompData, compile, decide};
use super::*;

const BOTH: [Arch; 2] = [Arch::X86_64, Arch::Aarch64];
const OWN_PID: u32 = 4242;
const OWN: u64 = OWN_PID as u64;
/// A program that was launched: nothing may be executed any more.
const LAUNCHED: super::super::Own = super::super::Own { pid: OWN_PID, key: None };
/// A register in which the kernel reads only the low half.
const HIGH: u64 = 1 << 32;

const ALLOW: Action = Action::Allow;
const EPERM: Action = Action::Errno(Errno::Eperm);
const EACCES: Action = Action::Errno(Errno::Eacces);
const EINVAL: Action = Action::Errno(Errno::Einval);
const ENOTTY: Action = Action::Errno(Errno::Enotty);
const ENOSYS: Action = Action::Errno(Errno::Enosys);
const ENOTSUP: Action = Action::Errno(Errno::Enotsup);

fn call_on(arch: Arch, name: &str, args: &[u64]) -> Action {
    let mut six = [0; 6];
    six[..args.len()].copy_from_slice(args);
    let data = SeccompData {
        nr: arch.number(name).unwrap_or_else(|| panic!("{arch:?} has no {name}")),
        arch: arch.audit_value(),
        instruction_pointer: 0,
        args: six,
    };
    decide(&strict(arch), &data, &LAUNCHED)
}

fn call(name: &str, args: &[u64]) -> Action {
    call_on(Arch::X86_64, name, args)
}

/// Each call with these arguments gets its action.
fn all_get(cases: &[(&str, &[u64], Action)]) {
    for (name, args, expected) in cases {
        assert_eq!(call(name, args), *expected, "{name} {args:x?}");
    }
}

#[test]
fn every_name_of_the_policy_is_a_system_call_and_stands_in_one_group() {
    let groups = UNCONDITIONAL.iter().map(|&(names, _)| names);
    let checked: Vec<_> = checked_rules();
    let names: Vec<&str> = groups
        .chain(checked.iter().map(|&(names, _)| names))
        .flat_map(str::split_ascii_whitespace)
        .collect();
    let different: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(different.len(), names.len(), "a name stands twice");
    for name in &names {
        assert!(Arch::X86_64.number(name).is_some(), "{name}");
    }
    assert_eq!(strict(Arch::X86_64).rules.len(), names.len());
}

#[test]
fn aarch64_has_the_same_policy_without_the_names_it_lacks() {
    let (x86_64, aarch64) = (strict(Arch::X86_64).rules, strict(Arch::Aarch64).rules);
    let lacking: Vec<&str> =
        x86_64.keys().filter(|name| !aarch64.contains_key(*name)).map(String::as_str).collect();
    let expected = "
        access alarm arch_prctl chmod chown creat dup2 epoll_create epoll_wait eventfd fork
        futimesat getdents getpgrp lchown link lstat mkdir mknod open pause pipe poll readlink
        rename rmdir select signalfd stat symlink time unlink utime utimes vfork";
    assert_eq!(lacking, expected.split_ascii_whitespace().collect::<Vec<_>>());
    for (name, rule) in aarch64 {
        assert_eq!(x86_64.get(&name), Some(&rule), "{name}");
    }
}

/// What Landlock does not control or only for some targets, so that the filter must refuse it whatever
/// the arguments are.
const NEVER_ALLOWED: &str = "
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat
    setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat
    getxattr lgetxattr fgetxattr getxattrat listxattr llistxattr flistxattr listxattrat
    file_getattr file_setattr socket connect bind listen accept accept4 sendmsg sendmmsg
    mincore futex_waitv futex_wake futex_wait futex_requeue inotify_init inotify_init1 inotify_add_watch fanotify_init fanotify_mark
    name_to_handle_at open_by_handle_at pidfd_open pidfd_getfd pidfd_send_signal
    process_madvise process_mrelease memfd_create memfd_secret execve fork vfork clone3
    io_uring_setup io_uring_enter io_uring_register io_setup io_submit
    add_key request_key keyctl shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd
    msgrcv msgctl mq_open mq_unlink mq_notify unshare setns chroot pivot_root mount umount2
    open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr open_tree_attr statmount
    listmount quotactl quotactl_fd landlock_create_ruleset landlock_add_rule
    seccomp capget capset mknod mknodat ptrace process_vm_readv
    process_vm_writev kcmp perf_event_open bpf userfaultfd personality sched_setscheduler
    sched_setparam sched_setattr ioprio_set ioprio_get move_pages migrate_pages setsid setpgid
    setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups
    clock_settime settimeofday adjtimex clock_adjtime sethostname setdomainname syslog sync
    syncfs init_module finit_module delete_module kexec_load kexec_file_load reboot swapon
    swapoff acct vhangup iopl ioperm modify_ldt mlockall sendfile splice vmsplice tee sync_file_range readahead
    cachestat lsm_get_self_attr lsm_set_self_attr listns";

#[test]
fn what_landlock_does_not_control_is_never_allowed() {
    for arch in BOTH {
        assert_eq!(call_on(arch, "read", &[]), ALLOW);
        let filter = strict(arch);
        for name in NEVER_ALLOWED.split_ascii_whitespace() {
            let Some(number) = arch.number(name) else {
                assert_eq!(arch, Arch::Aarch64, "{name}");
                continue;
            };
            assert_eq!(arch.name(number), Some(name));
            let rule = filter.rules.get(name).cloned().unwrap_or(Rule::Always(filter.default));
            assert!(matches!(rule, Rule::Always(action) if action != ALLOW), "{name}: {rule:?}");
        }
    }
}

#[test]
fn every_number_without_a_rule_is_refused_as_unknown() {
    for arch in BOTH {
        let filter = strict(arch);
        let ruled: BTreeSet<u32> =
            filter.rules.keys().filter_map(|name| arch.number(name)).collect();
        assert_eq!(ruled.len(), filter.rules.len());
        for nr in (0..2000).filter(|nr| !ruled.contains(nr)) {
            let data =
                SeccompData { nr, arch: arch.audit_value(), instruction_pointer: 0, args: [0; 6] };
            assert_eq!(decide(&filter, &data, &LAUNCHED), ENOSYS, "{nr}");
        }
    }
}

#[test]
fn no_answer_writes_to_the_log_of_the_kernel_and_lets_the_program_go_on() {
    const ACTION: u32 = 0xffff_0000;
    let silent = [ALLOW, EPERM, Action::KillProcess].map(Action::return_value);
    let silent = silent.map(|value| value & ACTION);
    for arch in BOTH {
        for instruction in compile(&strict(arch)).unwrap().instructions {
            // BPF_RET | BPF_K: a constant answer.
            if instruction.code == 6 {
                assert!(silent.contains(&(instruction.k & ACTION)), "{:x}", instruction.k);
            }
        }
    }
}

#[test]
fn a_thread_starts_and_a_process_does_not() {
    // glibc, musl (with the obsolete CLONE_DETACHED), Go.
    let threads: [u64; 3] = [0x003d_0f00, 0x007d_0f00, 0x0005_0f00];
    let pthread = threads[0];
    for flags in threads {
        assert_eq!(call("clone", &[flags]), ALLOW, "{flags:#x}");
        assert_eq!(call("clone", &[flags | HIGH]), ALLOW, "the kernel cuts the flags off");
        assert_eq!(call_on(Arch::Aarch64, "clone", &[flags]), ALLOW);
    }
    let vfork = (libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD) as u64;
    let not_threads = [
        libc::SIGCHLD as u64,
        vfork,
        pthread & !(libc::CLONE_THREAD as u64),
        pthread & !(libc::CLONE_VM as u64),
        pthread | libc::CLONE_NEWUSER as u64,
        pthread | libc::CLONE_NEWNET as u64,
        pthread | libc::CLONE_PTRACE as u64,
        pthread | libc::CLONE_PARENT as u64,
        pthread | libc::CLONE_PIDFD as u64,
        pthread | libc::SIGCHLD as u64,
        0,
    ];
    for flags in not_threads {
        assert_eq!(call("clone", &[flags]), EPERM, "{flags:#x}");
    }
    all_get(&[
        ("clone3", &[], ENOSYS),
        ("fork", &[], EPERM),
        ("vfork", &[], EPERM),
        ("execve", &[], EPERM),
        ("execveat", &[3, 0, 0, 0, libc::AT_EMPTY_PATH as u64], ENOSYS),
        ("execveat", &[libc::AT_FDCWD as u64], ENOSYS),
        ("execveat", &[3, 0, 0, 0, HIGH], Action::KillProcess),
    ]);
}

#[test]
fn only_the_own_process_is_signalled() {
    let signals = ["kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"];
    for name in signals {
        assert_eq!(call(name, &[OWN, 9]), ALLOW, "{name}");
        assert_eq!(call(name, &[OWN | HIGH, 9]), ALLOW, "{name}: the kernel cuts the id off");
        for other in [0, 1, OWN + 1, -1_i64 as u64, -4242_i64 as u64] {
            assert_eq!(call(name, &[other, 9]), EPERM, "{name} {other:#x}");
        }
    }
}

#[test]
fn only_the_own_process_is_asked_or_changed() {
    let first_argument = [
        ("sched_setaffinity", EPERM),
        ("sched_getaffinity", ENOSYS),
        ("sched_getparam", EPERM),
        ("sched_getscheduler", EPERM),
        ("sched_getattr", EPERM),
        ("sched_rr_get_interval", EPERM),
        ("getpgid", EPERM),
        ("getsid", EPERM),
        ("get_robust_list", EPERM),
        ("prlimit64", EPERM),
    ];
    for (name, refused) in first_argument {
        assert_eq!(
            [0, OWN, 1, OWN + 1].map(|pid| call(name, &[pid])),
            [ALLOW, ALLOW, refused, refused]
        );
    }
    let (process, group, user) = (0, 1, 2);
    for name in ["getpriority", "setpriority"] {
        let by_who = |which| [0, OWN, 1].map(|who| call(name, &[which, who]));
        assert_eq!(by_who(process), [ALLOW, ALLOW, EPERM], "{name}");
        assert_eq!(by_who(group), [EPERM; 3], "{name}");
        assert_eq!(by_who(user), [EPERM; 3], "{name}");
    }
    all_get(&[("setrlimit", &[7], ALLOW), ("sched_setscheduler", &[], EPERM)]);
}

#[test]
fn a_clock_is_read_unless_it_is_another_process_s() {
    let cpu_clock = |id: i64, bits: i64| ((!id) << 3 | bits) as u64 & 0xffff_ffff;
    for name in ["clock_gettime", "clock_getres", "clock_nanosleep", "timer_create"] {
        for clock in [libc::CLOCK_MONOTONIC, libc::CLOCK_PROCESS_CPUTIME_ID, libc::CLOCK_TAI] {
            assert_eq!(call(name, &[clock as u64]), ALLOW, "{name} {clock}");
        }
        // Of a thread, as pthread_getcpuclockid(3) makes them, and of this process.
        assert_eq!(call(name, &[cpu_clock(OWN as i64, 6)]), ALLOW, "{name}");
        assert_eq!(call(name, &[cpu_clock(0, 2)]), ALLOW, "{name}");
        assert_eq!(call(name, &[cpu_clock(1, 2)]), EINVAL, "{name}");
        assert_eq!(call(name, &[cpu_clock(1, 2) | u64::MAX << 32]), EINVAL, "{name}");
    }
}

#[test]
fn a_socket_reaches_nobody_but_its_own_other_end() {
    let (unix, inet, stream, dgram) = (1, 2, 1, 2);
    let flags = (libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK) as u64;
    all_get(&[
        ("socketpair", &[unix, stream], ALLOW),
        ("socketpair", &[unix, stream | flags], ALLOW),
        ("socketpair", &[unix | HIGH, stream | HIGH], ALLOW),
        ("socketpair", &[unix, dgram], EACCES),
        ("socketpair", &[unix, dgram | flags], EACCES),
        ("socketpair", &[unix, 5], EACCES),
        ("socketpair", &[inet, stream], EACCES),
        ("sendto", &[3, 0x1000, 5, 0, 0, 0], ALLOW),
        ("sendto", &[3, 0x1000, 5, 0, 0x1000, 110], EACCES),
        ("sendto", &[3, 0x1000, 5, 0, HIGH, 110], EACCES),
        ("sendmsg", &[3], EACCES),
        ("sendmmsg", &[3], EACCES),
        ("socket", &[unix, stream], EACCES),
        ("connect", &[3], EACCES),
    ]);
}

#[test]
fn a_socket_carries_bytes_and_neither_urgent_data_nor_programs() {
    let (dont_wait, urgent) = (libc::MSG_DONTWAIT as u64, libc::MSG_OOB as u64);
    for name in ["sendto", "recvfrom", "recvmmsg"] {
        assert_eq!(call(name, &[3, 0x1000, 5, dont_wait]), ALLOW, "{name}");
        assert_eq!(call(name, &[3, 0x1000, 5, dont_wait | urgent]), EACCES, "{name}");
    }
    assert_eq!(call("recvmsg", &[3, 0x1000, dont_wait]), ALLOW);
    assert_eq!(call("recvmsg", &[3, 0x1000, urgent | HIGH]), EACCES);
    let option = |level: i32, option: i32| call("setsockopt", &[3, level as u64, option as u64]);
    assert_eq!(option(libc::SOL_SOCKET, libc::SO_SNDBUF), ALLOW);
    let refused = [libc::SO_ATTACH_FILTER, libc::SO_ATTACH_BPF, libc::SO_TIMESTAMPING];
    assert_eq!(refused.map(|number| option(libc::SOL_SOCKET, number)), [ENOTSUP; 3]);
    assert_eq!(option(0, libc::SO_SNDBUF), ENOTSUP);
}

#[test]
fn a_rename_leaves_no_device_behind() {
    let rename = |flags: u32| call("renameat2", &[0, 0, 0, 0, u64::from(flags)]);
    let (keep, exchange) = (libc::RENAME_NOREPLACE, libc::RENAME_EXCHANGE);
    assert_eq!([0, keep, exchange].map(rename), [ALLOW; 3]);
    let whiteout = libc::RENAME_WHITEOUT;
    assert_eq!([whiteout, whiteout | keep, 1 << 31].map(rename), [EPERM; 3]);
}

#[test]
fn a_futex_of_another_s_is_at_most_waited_and_woken_at() {
    let futex = |operation: i32| call("futex", &[0x1000, operation as u64]);
    let (private, clock) = (libc::FUTEX_PRIVATE_FLAG, libc::FUTEX_CLOCK_REALTIME);
    let shared = [libc::FUTEX_WAIT, libc::FUTEX_WAKE, libc::FUTEX_WAIT_BITSET | clock];
    assert_eq!(shared.map(futex), [ALLOW; 3]);
    assert_eq!(shared.map(|operation| futex(operation | private)), [ALLOW; 3]);
    let others = [
        libc::FUTEX_REQUEUE,
        libc::FUTEX_CMP_REQUEUE,
        libc::FUTEX_WAKE_OP,
        libc::FUTEX_WAKE_BITSET,
    ];
    assert_eq!(others.map(futex), [ENOSYS; 4]);
    assert_eq!(others.map(|operation| futex(operation | private)), [ALLOW; 4]);
    assert_eq!(others.map(|operation| futex(operation | clock)), [ENOSYS; 4]);
}

#[test]
fn a_futex_whose_word_names_a_thread_is_refused_wherever_it_lies() {
    let futex = |operation: i32| call("futex", &[0x1000, operation as u64]);
    let (private, clock) = (libc::FUTEX_PRIVATE_FLAG, libc::FUTEX_CLOCK_REALTIME);
    assert_eq!(futex(libc::FUTEX_CMP_REQUEUE | private), ALLOW);
    let naming = [
        libc::FUTEX_LOCK_PI,
        libc::FUTEX_UNLOCK_PI,
        libc::FUTEX_TRYLOCK_PI,
        libc::FUTEX_WAIT_REQUEUE_PI,
        libc::FUTEX_CMP_REQUEUE_PI,
        libc::FUTEX_LOCK_PI2,
    ];
    for flags in [0, private, clock, private | clock] {
        assert_eq!(naming.map(|operation| futex(operation | flags)), [ENOSYS; 6]);
    }
    // Of what comes after them nobody knows what it names.
    for operation in libc::FUTEX_LOCK_PI2 + 1..=private - 1 {
        assert_eq!(futex(operation | private), ENOSYS);
    }
}

#[test]
fn what_others_have_in_memory_is_neither_told_nor_thrown_out() {
    let transfer = |name, flags: i32| call(name, &[3, 0x1000, 1, 0, 0, flags as u64]);
    for name in ["preadv2", "pwritev2"] {
        assert_eq!([0, libc::RWF_SYNC].map(|flags| transfer(name, flags)), [ALLOW; 2], "{name}");
        // RWF_NOAPPEND, RWF_ATOMIC, RWF_DONTCACHE.
        for flags in [libc::RWF_NOWAIT, libc::RWF_HIPRI, 0x20, 0x40, 0x80] {
            assert_eq!(transfer(name, flags), ENOTSUP, "{name} {flags:x}");
        }
    }
    let file = |advice: i32| call("fadvise64", &[3, 0, 0, advice as u64]);
    assert_eq!(file(libc::POSIX_FADV_SEQUENTIAL), ALLOW);
    let success = Action::Errno(Errno::Success);
    assert_eq!([libc::POSIX_FADV_DONTNEED, 6, 7].map(file), [success; 3]);
    let memory = |advice: i32| call("madvise", &[0x1000, 4096, advice as u64]);
    assert_eq!([libc::MADV_DONTNEED, libc::MADV_HUGEPAGE, libc::MADV_FREE].map(memory), [ALLOW; 3]);
    let refused = [libc::MADV_MERGEABLE, libc::MADV_COLD, libc::MADV_PAGEOUT, libc::MADV_HWPOISON];
    assert_eq!(refused.map(memory), [EPERM; 4]);
    let map = |flags: i32| call("mmap", &[0, 4096, 3, flags as u64]);
    let own = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    assert_eq!([own, libc::MAP_SHARED].map(map), [ALLOW; 2]);
    // One gigabyte, by the size in the upper bits.
    assert_eq!(
        [own | libc::MAP_HUGETLB, own | libc::MAP_HUGE_1GB | libc::MAP_HUGETLB].map(map),
        [EPERM; 2]
    );
}

#[test]
fn a_descriptor_is_managed_but_not_made_to_signal_or_to_watch() {
    let ioctl = |request: u64| call("ioctl", &[3, request]);
    let (fionbio, tiocsti, set_flags, winsize) = (0x5421, 0x5412, 0x4008_6602, 0x5413);
    assert_eq!([fionbio, winsize, fionbio | HIGH].map(ioctl), [ALLOW; 3]);
    assert_eq!([tiocsti, set_flags, tiocsti | HIGH, 0].map(ioctl), [ENOTTY; 4]);

    let fcntl = |command: i32| call("fcntl", &[3, command as u64]);
    let allowed = [libc::F_DUPFD_CLOEXEC, libc::F_SETFL, libc::F_SETLKW, libc::F_OFD_SETLK];
    assert_eq!(allowed.map(fcntl), [ALLOW; 4]);
    let refused = [libc::F_SETOWN, 10, 15, libc::F_SETLEASE, libc::F_NOTIFY, libc::F_SETPIPE_SZ];
    assert_eq!(refused.map(fcntl), [EPERM; 6]);

    let prctl = |option: i32| call("prctl", &[option as u64]);
    let allowed =
        [libc::PR_SET_NAME, libc::PR_GET_DUMPABLE, libc::PR_SET_VMA, libc::PR_SET_NO_NEW_PRIVS];
    assert_eq!(allowed.map(prctl), [ALLOW; 4]);
    let refused = [
        libc::PR_SET_PDEATHSIG,
        libc::PR_SET_DUMPABLE,
        libc::PR_SET_PTRACER,
        libc::PR_SET_MM,
        libc::PR_SET_SECCOMP,
    ];
    assert_eq!(refused.map(prctl), [EPERM; 5]);
}

#[test]
fn programs_that_copy_go_on() {
    for name in OWNER_MODE_TIMES.split_ascii_whitespace() {
        assert_eq!(call(name, &[0x1000, 0o777]), Action::Errno(Errno::Success), "{name}");
    }
    for name in EXTENDED_ATTRIBUTES.split_ascii_whitespace() {
        assert_eq!(call(name, &[0x1000]), Action::Errno(Errno::Enotsup), "{name}");
    }
}
