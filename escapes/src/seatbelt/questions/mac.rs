//! What only macOS has, and the macOS form of acts whose Linux form makes calls of Linux.

use super::super::scenario::{OUTSIDE, RUN, any, call, execute, file, name, node, other};
use super::Question::{self, Gap, Launch, Needs};
use super::{Entry, GETFSSTAT64};
use backends::macos::access::Vnode;
use backends::macos::gaps;

/// What tells the hardware's own identity, by number.
const GETHOSTUUID: u32 = 142;

fn fork() -> Question {
    Needs(vec![any("process-fork")])
}

fn outside(operation: &str) -> Question {
    Needs(vec![file(operation, &format!("{OUTSIDE}/secret"))])
}

fn plant() -> Question {
    Needs(vec![file("file-write-create", &format!("{OUTSIDE}/planted"))])
}

fn connect() -> Question {
    Needs(vec![name("network-outbound", "127.0.0.1:1")])
}

/// Each by its full name: an escape of this family without an answer is an error.
pub(super) const ENTRIES: &[Entry] = &[
    ("macos/launch-services", || {
        Needs(vec![
            any("process-fork"),
            execute("/bin/launchctl"),
            name("mach-lookup", "com.apple.xpc.launchd.domain.user"),
        ])
    }),
    ("macos/apple-event", || Needs(vec![any("process-fork"), execute("/usr/bin/osascript")])),
    ("macos/launch-agent", || {
        let agent = format!("{OUTSIDE}/Library/LaunchAgents/decoy.plist");
        Needs(vec![file("file-write-create", &agent)])
    }),
    // The kernel resolves the path before it asks, so the question is about the real one.
    ("macos/private-path", || Needs(vec![file("file-read-data", "/private/tmp/world/secret")])),
    ("macos/private-path.firmlink", || outside("file-read-data")),
    ("macos/read-deny-move", || {
        Needs(vec![
            file("file-write-unlink", &format!("{OUTSIDE}/secret")),
            file("file-write-create", &format!("{RUN}/taken")),
        ])
    }),
    ("macos/read-deny-move.clone", || {
        Needs(vec![
            file("file-clone", &format!("{OUTSIDE}/secret")),
            file("file-write-create", &format!("{RUN}/cloned")),
        ])
    }),
    ("macos/hard-link-alias", || {
        Needs(vec![
            file("file-link", &format!("{OUTSIDE}/writable")),
            file("file-write-create", &format!("{RUN}/alias")),
        ])
    }),
    ("macos/specific-operation", || outside("file-read-xattr")),
    ("macos/unix-socket", || {
        Needs(vec![node("network-outbound", &format!("{OUTSIDE}/service"), Vnode::Socket)])
    }),
    ("macos/process-arguments", || Needs(vec![name("sysctl-read", "kern.procargs2")])),
    ("macos/tasks", || Needs(vec![name("sysctl-read", "kern.proc.0.0")])),
    ("macos/tasks.signal", || Gap(gaps::NUMBERS)),
    ("macos/tasks.group", || Gap(gaps::NUMBERS)),
    ("macos/tasks.session", || Gap(gaps::NUMBERS)),
    ("macos/tasks.priority", || Gap(gaps::NUMBERS)),
    ("macos/tasks.information", || Gap(gaps::NUMBERS)),
    ("macos/tasks.code", || Gap(gaps::NUMBERS)),
    ("macos/tasks.watch", || Gap(gaps::NUMBERS)),
    ("macos/host", || Needs(vec![call(GETHOSTUUID)])),
    ("macos/host.mounts", || Needs(vec![call(GETFSSTAT64)])),
    ("macos/profile-file", || Needs(vec![file("file-write-data", &format!("{OUTSIDE}/next.sb"))])),
    ("macos/profile-file.replace", || {
        Needs(vec![
            file("file-write-unlink", &format!("{RUN}/other.sb")),
            file("file-write-create", &format!("{OUTSIDE}/next.sb")),
        ])
    }),
    ("macos/signal", || Needs(vec![other("signal")])),
    ("macos/signal.group", || Needs(vec![other("signal")])),
    ("macos/posix-spawn", || Needs(vec![any("process-fork"), execute("/bin/bash")])),
    ("macos/posix-spawn.fork", fork),
    ("macos/posix-spawn.in-place", || Needs(vec![execute("/bin/cat")])),
    ("macos/nested", || Needs(vec![any("process-fork"), execute("/usr/bin/sandbox-exec")])),
    ("macos/shared-memory", || Needs(vec![name("ipc-posix-shm-write-create", "/new")])),
    ("macos/shared-memory.remove", || Needs(vec![name("ipc-posix-shm-write-unlink", "/decoy")])),
    ("macos/shared-memory.read", || Needs(vec![name("ipc-posix-shm-read-data", "/decoy")])),
    ("macos/shared-memory.write", || Needs(vec![name("ipc-posix-shm-write-data", "/decoy")])),
    ("macos/change-file", || outside("file-write-data")),
    ("macos/change-file.create", plant),
    ("macos/change-file.truncate", || outside("file-write-data")),
    ("macos/change-file.mode", || outside("file-write-mode")),
    ("macos/change-file.times", || outside("file-write-times")),
    ("macos/change-file.attribute", || outside("file-write-xattr")),
    ("macos/change-file.flags", || outside("file-write-flags")),
    ("macos/list-directory", || outside("file-read-data")),
    ("macos/tcp-connect", connect),
    ("macos/tcp-connect.v6", connect),
    ("macos/tcp-connect.at-once", connect),
    ("macos/udp", connect),
    ("macos/loader-variable", || Launch("the environment is exactly that of the policy")),
    ("macos/name-service", || {
        Needs(vec![node("network-outbound", "/private/var/run/mDNSResponder", Vnode::Socket)])
    }),
    ("macos/notification", || {
        Needs(vec![name("mach-lookup", "com.apple.system.notification_center")])
    }),
    ("macos/open-files", || Needs(vec![other("process-info-pidfdinfo")])),
    ("macos/inherited", || Launch(super::CLOSED)),
    ("macos/inherited.pipe", || Launch(super::CLOSED)),
];
