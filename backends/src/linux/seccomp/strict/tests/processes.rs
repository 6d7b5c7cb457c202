//! Processes and threads: who starts, who is signalled, who is asked, and by whose clock.

use super::*;

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
        ("prlimit64", ENOSYS),
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

/// With a limit of no byte the kernel starts the handler of the host, with one byte it does not (core(5)).
#[test]
fn every_limit_is_asked_for_and_every_one_but_that_of_cores_is_set() {
    let value = 0x7f00_0000_1000;
    for resource in 0..17 {
        let set = if resource == 4 { ENOSYS } else { ALLOW };
        for high in [0, HIGH] {
            let resource = resource | high;
            assert_eq!(call("setrlimit", &[resource, value]), set, "{resource:#x}");
            for pid in [0, OWN] {
                assert_eq!(call("prlimit64", &[pid, resource, 0, value]), ALLOW, "{resource:#x}");
                for value in [value, HIGH] {
                    assert_eq!(call("prlimit64", &[pid, resource, value]), set, "{resource:#x}");
                }
            }
            for pid in [1, OWN + 1] {
                assert_eq!(call("prlimit64", &[pid, resource, 0, value]), ENOSYS);
                assert_eq!(call("prlimit64", &[pid, resource, value]), ENOSYS);
            }
        }
    }
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
