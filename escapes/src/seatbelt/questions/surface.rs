//! What is reached without a file: sockets, shared objects, and the kernel itself.

use super::super::scenario::{OUTSIDE, RUN, any, call, execute, file, name, node, other};
use super::Question::{self, Absent, Gap, Launch, Needs};
use super::{CLOSED, Entry};
use backends::macos::access::Vnode;
use backends::macos::gaps;

const LINUX_CALL: &str = "a system call or family of sockets of Linux alone";
const ENVIRONMENT: &str = "the environment is exactly that of the policy";

/// What begins each kind of System V IPC, by number. Public measurements say that a denial of `ipc-sysv*`
/// does not stop them, so the calls are asked about.
const SEMGET: u32 = 255;
const MSGGET: u32 = 259;
const SHMGET: u32 = 265;

fn outbound() -> Question {
    Needs(vec![name("network-outbound", "127.0.0.1:1")])
}

fn bind() -> Question {
    Needs(vec![name("network-bind", "127.0.0.1:1")])
}

fn unix() -> Question {
    Needs(vec![node("network-outbound", &format!("{OUTSIDE}/service"), Vnode::Socket)])
}

fn shm(operation: &str) -> Question {
    Needs(vec![name(operation, "/decoy")])
}

fn system_v() -> Question {
    Needs(vec![call(SHMGET)])
}

fn privilege() -> Question {
    Needs(vec![any("system-privilege")])
}

pub(super) const ENTRIES: &[Entry] = &[
    ("network/*", outbound),
    ("network/alternative.mptcp-serve", bind),
    ("network/exotic*", || Absent(LINUX_CALL)),
    ("network/inherited-socket*", || Launch(CLOSED)),
    ("network/io-uring-socket*", || Absent(LINUX_CALL)),
    ("network/netlink*", || Absent(LINUX_CALL)),
    ("network/proxy-env*", || Launch(ENVIRONMENT)),
    ("network/raw-packet*", || {
        Needs(vec![any("system-socket"), name("network-outbound", "127.0.0.1:1")])
    }),
    ("network/raw-packet", || {
        Needs(vec![node("file-read-data", "/dev/bpf0", Vnode::CharacterDevice)])
    }),
    ("network/socketpair-datagram*", unix),
    ("network/squat-port*", bind),
    ("network/tcp-bind*", bind),
    ("network/tcp-bind.unbound", || Needs(vec![name("network-inbound", "127.0.0.1:1")])),
    ("network/udp-bind*", bind),
    ("network/unix-abstract*", || Absent("macOS has no abstract names")),
    ("network/unix-datagram*", unix),
    ("network/unix-path*", unix),
    ("network/unix-serve*", || {
        Needs(vec![
            node("network-bind", &format!("{RUN}/service"), Vnode::Socket),
            node("file-write-create", &format!("{RUN}/service"), Vnode::Socket),
        ])
    }),
    ("ipc/descriptor-fetch*", unix),
    ("ipc/display*", unix),
    ("ipc/file-futex*", || Absent("macOS moves no waiter from one address to another")),
    ("ipc/futex-wait*", || Gap(gaps::WAITS)),
    ("ipc/key-*", || {
        Absent("the keys of the Linux kernel; the keychain is a service (MC-PASTEBOARD)")
    }),
    ("ipc/mq-*", || Absent("macOS has no POSIX queues")),
    ("ipc/pipe-inherit*", || Launch(CLOSED)),
    ("ipc/pty-master*", || Launch(CLOSED)),
    ("ipc/shared-file*", || Launch(CLOSED)),
    ("ipc/shared-placement", || Absent("macOS knows no nodes of memory")),
    ("ipc/shm-named", || shm("ipc-posix-shm-read-data")),
    ("ipc/shm-named.write", || shm("ipc-posix-shm-write-data")),
    ("ipc/shm-named.remove", || shm("ipc-posix-shm-write-unlink")),
    ("ipc/shm-named.leave", || shm("ipc-posix-shm-write-create")),
    ("ipc/sysv-*", system_v),
    ("ipc/sysv-persist.queue", || Needs(vec![call(MSGGET)])),
    ("ipc/sysv-read.queue", || Needs(vec![call(MSGGET)])),
    ("ipc/sysv-write.queue", || Needs(vec![call(MSGGET)])),
    ("ipc/sysv-remove.queue", || Needs(vec![call(MSGGET)])),
    ("ipc/sysv-persist.semaphore", || Needs(vec![call(SEMGET)])),
    ("ipc/sysv-write.semaphore", || Needs(vec![call(SEMGET)])),
    ("ipc/sysv-remove.semaphore", || Needs(vec![call(SEMGET)])),
    ("ipc/terminal*", || {
        Launch("the stage has a session of its own and no terminal; the streams are pipes")
    }),
    ("kernel/bpf*", || Absent(LINUX_CALL)),
    ("kernel/capabilities*", || Absent("macOS has no capabilities")),
    ("kernel/chroot*", || Needs(vec![file("file-chroot", RUN)])),
    ("kernel/clock*", privilege),
    ("kernel/dac-override*", || Needs(vec![file("file-read-data", &format!("{OUTSIDE}/secret"))])),
    ("kernel/fanotify*", || Absent(LINUX_CALL)),
    ("kernel/file-system*", || Needs(vec![any("system-fsctl")])),
    ("kernel/filter*", || Absent("the filters of the Linux kernel")),
    ("kernel/hang-up*", || Absent(LINUX_CALL)),
    ("kernel/host-quota*", || Absent("requests of Linux, whose number the whole host shares")),
    ("kernel/host-name*", || Needs(vec![name("sysctl-write", "kern.hostname")])),
    ("kernel/identity*", privilege),
    ("kernel/io-uring*", || Absent(LINUX_CALL)),
    ("kernel/landlock*", || Absent("Landlock is Linux's; a second profile is asked of MC-NESTED")),
    ("kernel/log*", || Needs(vec![name("mach-lookup", "com.apple.logd")])),
    ("kernel/memory-file*", || Absent(LINUX_CALL)),
    ("kernel/mount*", || Needs(vec![file("file-mount", RUN)])),
    ("kernel/namespace*", || Absent("macOS has no namespaces")),
    ("kernel/no-new-privileges*", || Needs(vec![execute("/usr/bin/su")])),
    ("kernel/page-cache*", || Absent("macOS takes no advice on a file")),
    ("kernel/perf*", || Absent(LINUX_CALL)),
    ("kernel/personality*", || Absent(LINUX_CALL)),
    ("kernel/realtime*", || Needs(vec![any("system-sched")])),
    ("kernel/secret-memory*", || Absent(LINUX_CALL)),
    ("kernel/setns*", || Absent("macOS has no namespaces")),
    ("kernel/user-namespace*", || Absent("macOS has no namespaces")),
    ("kernel/user-quota*", || Absent("watchers and timers of Linux")),
    ("kernel/userfault*", || Absent(LINUX_CALL)),
    ("layer/device*", || {
        Needs(vec![node("file-write-create", &format!("{RUN}/device"), Vnode::CharacterDevice)])
    }),
    ("layer/high-bits*", outbound),
    ("layer/high-bits.owner*", || Needs(vec![other("signal")])),
    ("layer/high-bits.signal", || Needs(vec![other("signal")])),
    ("layer/high-bits.limit", || Absent("prlimit of another process is Linux's")),
    ("layer/high-bits.terminal", || Launch(CLOSED)),
    ("layer/int80*", || Absent("macOS has one table of system calls")),
    ("layer/thread*", || Needs(vec![file("file-read-data", &format!("{OUTSIDE}/secret"))])),
    ("layer/x32*", || Absent("macOS has one table of system calls")),
    ("metadata/host*", || Needs(vec![name("sysctl-read", "kern.hostname")])),
    ("metadata/host.memory", || Gap(gaps::SIZE)),
    ("metadata/interfaces*", || Needs(vec![name("sysctl-read", "net.route.0.0.3.0")])),
    // XNU tells the code to whoever may signal the process (`filt_procattach` in `kern_event.c`).
    ("metadata/process-end*", || Needs(vec![other("signal")])),
    ("metadata/tasks", || Needs(vec![name("sysctl-read", "kern.proc.0.0")])),
    ("metadata/tasks.*", || Absent("a call of Linux on another process")),
    ("metadata/tasks.signal", || Gap(gaps::NUMBERS)),
    ("metadata/tasks.session", || Gap(gaps::NUMBERS)),
    ("metadata/tasks.group", || Gap(gaps::NUMBERS)),
    ("metadata/tasks.priority", || Gap(gaps::NUMBERS)),
];
