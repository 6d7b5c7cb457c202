//! Accesses that must be denied though no escape of the catalogue needs exactly them: the neighbour of
//! every place that is granted, for a grant must not be wider than its words, and what may not happen
//! inside a place that may be written.

use super::scenario::{
    DEVICES, RUN, Scenario, any, call, control, directory, execute, file, launch, module, name,
    node, other, request,
};
use super::useful::ON_THE_WAY;
use backends::macos::access::{Access, Vnode};

/// Places next to what a program needs to start.
const NEIGHBOURS: [&str; 11] = [
    "/Library/secret",
    "/System/Cryptexes/secret",
    "/System/Library/CoreServices/secret",
    "/System/Library/secret",
    "/System/Volumes/Preboot/Cryptexes/App/secret",
    "/System/Volumes/Preboot/Cryptexes/secret",
    "/private/etc/master.passwd",
    "/private/var/db/secret",
    "/secret",
    "/usr/secret",
    "/usr/share/secret",
];

/// Places that may be read and must not be written.
const READ_ONLY: [&str; 7] = [
    "/",
    "/System/Cryptexes/OS/x",
    "/System/Library/CoreServices/SystemVersion.plist",
    "/private/var/db/timezone/x",
    "/usr",
    "/usr/lib/x",
    "/usr/share/zoneinfo/UTC",
];

/// Every operation that changes a file, one of each kind.
const CHANGES: [&str; 6] = [
    "file-link",
    "file-write-create",
    "file-write-data",
    "file-write-mode",
    "file-write-unlink",
    "file-clone",
];

/// The guards of a scenario.
pub fn guards(scenario: &Scenario) -> Vec<Access> {
    let mut guards = Vec::new();
    for neighbour in NEIGHBOURS {
        guards.extend(untouched(neighbour));
    }
    guards.extend(ON_THE_WAY.map(|path| directory("file-read-data", path)));
    for place in READ_ONLY {
        guards.extend(CHANGES.map(|operation| file(operation, place)));
    }
    for (path, _) in scenario.read {
        guards.extend(CHANGES.map(|operation| file(operation, path)));
        guards.extend(untouched(&neighbour(path)));
    }
    guards.extend(CHANGES.map(|operation| file(operation, scenario.program)));
    guards.push(execute(scenario.program));
    guards.extend(beside_program(scenario));
    for device in DEVICES.into_iter().chain(["/dev/null"]) {
        let changed = ["file-write-mode", "file-write-unlink", "file-link", "file-map-executable"];
        let changed = changed.into_iter().filter(|change| {
            // What may be read may be loaded; /dev/null may be written.
            *change != "file-map-executable" || device == "/dev/null"
        });
        guards.extend(changed.map(|change| node(change, device, Vnode::CharacterDevice)));
    }
    guards.extend(untouched("/dev/rdisk0"));
    for (root, nested) in roots(scenario) {
        guards.extend(inside(root, nested));
    }
    guards.extend(system());
    guards
}

/// The places that may be written, and whether each lies in one that may be read.
fn roots(scenario: &Scenario) -> Vec<(&'static str, bool)> {
    let nested =
        |path: &str| scenario.read.iter().any(|(read, _)| path.starts_with(&format!("{read}/")));
    let write = scenario.write.iter().map(|(path, _)| (*path, nested(path)));
    [(RUN, false)].into_iter().chain(write).collect()
}

/// A path beside this one.
fn neighbour(path: &str) -> String {
    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
    format!("{above}/neighbour")
}

/// Nothing is done to this path.
fn untouched(path: &str) -> Vec<Access> {
    ["file-map-executable", "file-read-data", "file-read-metadata", "file-write-data"]
        .into_iter()
        .map(|operation| file(operation, path))
        .chain([execute(path), launch(path), file("file-test-existence", path)])
        .collect()
}

/// What lies beside the program: in a framework it may be read, and is not executed.
fn beside_program(scenario: &Scenario) -> Vec<Access> {
    let beside = neighbour(scenario.program);
    if scenario.framework { vec![execute(&beside), launch(&beside)] } else { untouched(&beside) }
}

/// What may not happen in a place that may be written.
fn inside(root: &str, nested: bool) -> Vec<Access> {
    let child = format!("{root}/child");
    let special = Vnode::ALL
        .into_iter()
        .filter(|kind| !matches!(kind, Vnode::Directory | Vnode::RegularFile));
    let mut guards: Vec<Access> =
        special.map(|kind| node("file-write-create", &child, kind)).collect();
    guards.extend(
        [
            "file-clone",
            "file-ioctl",
            "file-link",
            "file-map-executable",
            "file-mknod",
            "file-mount",
            "file-write-acl",
            "file-write-flags",
            "file-write-owner",
            "file-write-setugid",
        ]
        .map(|operation| file(operation, &child)),
    );
    guards.extend([execute(&child), launch(&child)]);
    guards.push(directory("file-write-unlink", root));
    if !nested {
        // Inside a place that may be read its neighbour may be read, too.
        guards.extend(untouched(&neighbour(root)));
    } else {
        guards.push(file("file-write-data", &neighbour(root)));
    }
    // The directories above are looked at, not listed.
    let mut above = root;
    while let Some((shorter, _)) = above.rsplit_once('/') {
        above = shorter;
        if !above.is_empty() && !nested {
            guards.push(directory("file-read-data", above));
        }
    }
    guards
}

/// Services of the system that act for whoever asks: each has let somebody out of a sandbox, or carries
/// data out. What a lookup gave cannot be seen from outside, so it is asked here and is no escape.
const SERVICES: [&str; 13] = [
    "com.apple.CoreServices.coreservicesd",
    "com.apple.FSEvents",
    "com.apple.SecurityServer",
    "com.apple.cfprefsd.agent",
    "com.apple.coreservices.appleevents",
    "com.apple.coreservices.launchservicesd",
    "com.apple.distributed_notifications@Uv3",
    "com.apple.dnssd.service",
    "com.apple.logd",
    "com.apple.mDNSResponder",
    "com.apple.pasteboard.1",
    "com.apple.trustd.agent",
    "com.apple.windowserver.active",
];

/// Sockets of the system: connecting to one is a network operation.
const SOCKETS: [&str; 3] =
    ["/private/var/run/docker.sock", "/private/var/run/mDNSResponder", "/private/var/run/syslog"];

/// Controls of a descriptor (`sys/fcntl.h`) that reach beyond it: whom the kernel signals, what changes a
/// file that is open for reading alone, what opens by a descriptor, what holds up a whole file system.
const CONTROLS: [u32; 13] = [6, 43, 53, 54, 56, 57, 60, 64, 69, 70, 80, 106, 110];

/// Requests to a socket that reach beyond it: `SIOCSPGRP`, which names whom the kernel signals; the list of
/// interfaces (`SIOCGIFCONF`); the address of one (`SIOCGIFADDR`).
const REQUESTS: [u32; 3] = [0x8004_7308, 0xc00c_6924, 0xc020_6921];

/// The system calls of System V IPC.
const SYSTEM_V: [u32; 14] = [251, 252, 253, 254, 255, 256, 258, 259, 260, 261, 262, 263, 264, 265];

/// The system calls that list what is mounted (three), and the one that tells the identity of the hardware.
const HOST: [u32; 4] = [18, 142, 347, 426];

/// What is done to no file.
fn system() -> Vec<Access> {
    let operations = [
        "appleevent-send",
        "darwin-notification-post",
        "distributed-notification-post",
        "dynamic-code-generation",
        "file-issue-extension",
        "generic-issue-extension",
        "iokit-get-properties",
        "iokit-open-user-client",
        "iokit-set-properties",
        "job-creation",
        "lsopen",
        "mach-bootstrap",
        "mach-cross-domain-lookup",
        "mach-priv-host-port",
        "mach-priv-task-port",
        "mach-register",
        "mach-task-name",
        "nvram*",
        "process-fork",
        "pseudo-tty",
        "system-fsctl",
        "system-privilege",
        "user-preference-read",
        "user-preference-write",
    ];
    let mut guards: Vec<Access> = operations.into_iter().map(any).collect();
    guards.extend(CONTROLS.map(control));
    guards.extend(REQUESTS.map(request));
    guards.extend(SYSTEM_V.map(call));
    guards.extend(HOST.map(call));
    guards.extend(SERVICES.map(|service| name("mach-lookup", service)));
    guards.extend(SOCKETS.map(|path| node("network-outbound", path, Vnode::Socket)));
    guards.extend([
        other("process-info-codesignature"),
        name("ipc-posix-sem*", "/decoy"),
        name("sysctl-read", "kern.hostname"),
        name("sysctl-read", "kern.proc.all"),
        name("sysctl-read", "kern.procargs2"),
        name("sysctl-write", "kern.maxfilesperproc"),
        node("file-ioctl", "/dev/tty", Vnode::CharacterDevice),
        node("file-read-data", "/dev/tty", Vnode::CharacterDevice),
        module("Sandbox", 5),
        module("AMFI", 67),
    ]);
    guards
}
