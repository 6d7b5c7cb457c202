//! What macOS does not build of the catalogue although macOS has the thing: the form that stands instead,
//! or why the evaluator alone is asked. A test keeps these tables and the sources equal.

/// Escapes, and the escape of the family `macos` that is the same act.
pub const INSTEAD: &[(&str, &str)] = &[
    ("metadata/tasks", "macos/tasks"),
    ("metadata/tasks.signal", "macos/tasks.signal"),
    ("metadata/tasks.group", "macos/tasks.group"),
    ("metadata/tasks.session", "macos/tasks.session"),
    ("metadata/tasks.priority", "macos/tasks.priority"),
    ("metadata/mounts*", "macos/host.mounts"),
    ("fs-write/ioctl-flags*", "macos/change-file.flags"),
    ("network/tcp-fast-open*", "macos/tcp-connect.at-once"),
    ("ipc/shm-named", "macos/shared-memory.read"),
    ("ipc/shm-named.write", "macos/shared-memory.write"),
    ("ipc/shm-named.leave", "macos/shared-memory"),
    ("ipc/shm-named.remove", "macos/shared-memory.remove"),
];

/// What has a number of its own in the Linux kernel and no other effect than an act that is built.
const CALL: &str = "a second call of Linux for an act that is built in its plain form";
/// Ways through `/proc` and descriptors that were opened for their path only.
const WAY: &str = "a way of Linux (/proc, O_PATH) to an act that is built in its plain form";
const BITS: &str = "an attack on a filter of system calls, which is not how macOS confines";
const THREADS: &str = "a call on a thread or by a descriptor of a process, which macOS has not";
const ABSTRACT: &str = "abstract names do not exist; the act is built for a path";
const DEVICE: &str = "only root may open such a device, so no control of an ordinary user gets out";
const UNSEEN: &str = "no tool of the system tells from outside how much of it a process holds";
const ROOT: &str = "of the whole host and root's alone: there is no decoy of it on macOS";

/// Escapes, and why nothing is built for them.
pub const QUESTION_ONLY: &[(&str, &str)] = &[
    ("fs-read/reopen*", WAY),
    ("fs-read/link-in.descriptor", WAY),
    ("fs-read/link-in.empty-path", WAY),
    ("fs-read/inherited.vector", CALL),
    ("fs-read/inherited-copy.range", CALL),
    ("fs-read/inherited-copy.splice", CALL),
    ("fs-read/dir-fd.path-only", WAY),
    ("fs-read/dir-fd.openat2", CALL),
    ("fs-read/device*", DEVICE),
    ("metadata/stat.statx", CALL),
    ("metadata/stat.root", WAY),
    ("metadata/stat.at", WAY),
    ("metadata/list-dir.root", WAY),
    ("metadata/get-xattr.root", WAY),
    ("metadata/open-path*", WAY),
    ("metadata/list-dir.path-only", WAY),
    ("metadata/get-xattr.path-only", WAY),
    ("metadata/get-xattr.at", CALL),
    ("metadata/file-attr*", "file flags are part of stat(2) on macOS, which is built"),
    ("metadata/list-xattr.at", CALL),
    ("metadata/inotify", "kqueue(2) tells of a change and not of a name; the listing is built"),
    ("metadata/page-cache*", "a page is asked for, and put out of the cache, by calls of Linux"),
    (
        "metadata/interfaces*",
        "an interface whose name is chosen, the decoy, cannot be made on macOS",
    ),
    ("fs-write/create.socket-node", CALL),
    ("fs-write/create.regular-node", CALL),
    ("fs-write/create.oldest-node", CALL),
    ("fs-write/create.whiteout", CALL),
    ("fs-write/rename-over.whiteout", CALL),
    ("fs-write/write.openat2", CALL),
    ("fs-write/write.reopened", WAY),
    ("fs-write/tmp-file*", "files without a name do not exist; a new file is built"),
    ("fs-write/chmod.at2", CALL),
    ("fs-write/chmod.path-only", WAY),
    ("fs-write/utime.seconds", CALL),
    ("fs-write/utime.at", CALL),
    ("fs-write/set-xattr.path-only", WAY),
    ("fs-write/set-xattr.remove-link", CALL),
    ("fs-write/set-xattr.at", CALL),
    ("fs-write/set-xattr.remove-at", CALL),
    ("fs-write/lock.lease", "a lease needs an entitlement; locks are built"),
    ("fs-write/inherited-write.allocate", CALL),
    ("fs-write/reopen", WAY),
    ("fs-write/core-dump", "a core goes to /cores, a place of the host and of no trial"),
    ("fs-write/route", WAY),
    ("fs-write/route.*-root", WAY),
    ("fs-write/route.*-held", WAY),
    ("fs-write/route.write-task", WAY),
    ("fs-write/route-at*", WAY),
    ("fs-write/route-owner", WAY),
    ("fs-write/route-owner.*-root", WAY),
    ("fs-write/route-owner.*-held", WAY),
    ("fs-write/route-owner.*-empty", WAY),
    ("plant/rename.nameless", "files without a name do not exist; a new file is built"),
    ("environment/proc-self", WAY),
    ("exec/fork.system-call", CALL),
    ("exec/vfork.system-call", CALL),
    ("exec/vfork", "its new process may do nothing but execute; posix_spawn is built"),
    ("exec/clone*", CALL),
    ("exec/execveat*", CALL),
    ("exec/ldso*", "the loader of macOS is no program that can be executed"),
    ("exec/exec-run.root", WAY),
    ("exec/exec-run.held", WAY),
    ("exec/re-exec.proc", WAY),
    ("exec/re-exec.descriptor", WAY),
    ("exec/re-exec.absolute", CALL),
    ("exec/re-exec.registers", BITS),
    ("exec/helper-daemon.abstract", ABSTRACT),
    ("network/tcp-connect.high-bits", BITS),
    ("network/alternative*", "transports of Linux, or such as need an entitlement"),
    ("network/udp.many", CALL),
    ("network/unix-path.seqpacket", "Unix sockets of packets do not exist; streams are built"),
    ("network/unix-path.descriptor", WAY),
    ("network/unix-path.root", WAY),
    ("network/socketpair-datagram.raw", "raw Unix sockets do not exist; datagrams are built"),
    ("network/socketpair-datagram.many", CALL),
    ("network/unix-serve.abstract", ABSTRACT),
    (
        "network/raw-packet*",
        "raw sockets and bpf(4) are root's; what a process holds of them is not told",
    ),
    ("network/vsock", "a service of this machine at such a socket cannot be placed"),
    ("network/inherited-socket.oldest-listener", CALL),
    ("network/inherited-socket.reconnect", "a TCP socket cannot be disconnected by an address"),
    ("ipc/descriptor-fetch.abstract", ABSTRACT),
    ("ipc/display.abstract", ABSTRACT),
    ("ipc/terminal.high-bits", BITS),
    (
        "ipc/futex-wait",
        "no call counts who waits at an address, so nobody outside knows whose turn it is; waking is built",
    ),
    ("ipc/sysv-*number", CALL),
    ("ipc/sysv-write.semaphore-step*", CALL),
    ("process/kill.*", THREADS),
    ("process/kill-group.pidfd", THREADS),
    ("process/scheduler*", "policies of another process do not exist; priorities are built"),
    ("process/parameter*", "policies of another process do not exist; priorities are built"),
    ("process/io-priority", "a process can set its own alone"),
    ("process/whole-user*", "the decoy is a user of Linux's own making"),
    ("kernel/*", ROOT),
    ("layer/*", BITS),
    ("native-code/machine-code.patched", WAY),
    ("native-code/self-memory", WAY),
    ("resource/leave-leader", "a process ends with its first thread"),
    (
        "resource/memory*",
        "a policy with a limit of memory is refused, so that there is none to try",
    ),
    ("resource/suspend-parent", UNSEEN),
    ("resource/fill-disk.reserve", CALL),
    ("resource/fill-disk.deleted", UNSEEN),
    ("resource/flood-output*", UNSEEN),
    ("resource/raise-limit", UNSEEN),
];

/// Whether a pattern, which may hold one star, names an escape.
pub fn fits(pattern: &str, id: &str) -> bool {
    pattern.split_once('*').map_or(id == pattern, |(prefix, suffix)| {
        id.len() >= prefix.len() + suffix.len() && id.starts_with(prefix) && id.ends_with(suffix)
    })
}
