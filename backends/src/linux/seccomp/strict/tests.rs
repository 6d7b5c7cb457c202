//! Tests of the strict policy: what it allows, what it refuses and with which answer. Here the list as a
//! whole; one kind of thing a file beside it.

mod descriptors;
mod memory;
mod processes;

use super::super::{SeccompData, compile, decide};
use super::*;
use std::collections::BTreeSet;

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
            let never = match rule {
                Rule::Always(action) => action != ALLOW,
                Rule::Feigned { .. } => true,
                Rule::Checked { .. } | Rule::Once { .. } => false,
            };
            assert!(never, "{name}: {rule:?}");
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
fn who_asks_for_a_file_by_setting_times_is_not_told_that_it_is_there() {
    let here = libc::AT_FDCWD as u64;
    for (name, arguments) in [
        ("utime", &[0x1000, 0][..]),
        ("utimes", &[0x1000, 0]),
        ("futimesat", &[here, 0x1000, 0]),
        ("utimensat", &[here, 0x1000, 0]),
        ("utimensat", &[u64::from(here as u32), 0x1000, 0]),
    ] {
        assert_eq!(call(name, arguments), Action::Errno(Errno::Eacces), "{name}");
    }
}

#[test]
fn programs_that_copy_go_on() {
    for name in OWNER_MODE_TIMES.split_ascii_whitespace() {
        assert_eq!(call(name, &[0x1000, 0o777]), Action::Errno(Errno::Success), "{name}");
    }
    for name in ["utime", "utimes"] {
        assert_eq!(call(name, &[0x1000, 0x2000]), Action::Errno(Errno::Success), "{name}");
    }
    let here = libc::AT_FDCWD as u64;
    for name in ["futimesat", "utimensat"] {
        for done in [&[here, 0x1000, 0x2000], &[3, 0, 0], &[3, 0x1000, 0]] {
            assert_eq!(call(name, done), Action::Errno(Errno::Success), "{name}({done:x?})");
        }
    }
    for name in EXTENDED_ATTRIBUTES.split_ascii_whitespace() {
        assert_eq!(call(name, &[0x1000]), Action::Errno(Errno::Enotsup), "{name}");
    }
}
