//! Accesses that must be allowed: what every program does to start, and what it was granted.

use super::scenario::{
    DEVICES, RUN, Scenario, call, control, directory, file, launch, module, name, node, own,
    request,
};
use backends::macos::access::{Access, Vnode};

/// Code that is loaded at start.
const CODE: [&str; 9] = [
    "/System/Cryptexes/App/usr/lib/x.dylib",
    "/System/Cryptexes/OS/System/Library/dyld/dyld_shared_cache_arm64e",
    "/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation",
    "/System/Library/PrivateFrameworks/x.framework/x",
    "/System/Library/SubFrameworks/x.framework/x",
    "/System/Library/dyld/dyld_shared_cache_arm64e",
    "/System/Volumes/Preboot/Cryptexes/App/System/x.dylib",
    "/System/Volumes/Preboot/Cryptexes/OS/System/Library/dyld/dyld_shared_cache_arm64e",
    "/usr/lib/libSystem.B.dylib",
];

/// Data that the C library reads.
const DATA: [&str; 6] = [
    "/System/Library/CoreServices/.SystemVersionPlatform.plist",
    "/System/Library/CoreServices/SystemVersion.plist",
    "/private/etc/localtime",
    "/private/var/db/timezone/zoneinfo/Europe/Berlin",
    "/usr/share/zoneinfo.default/UTC",
    "/usr/share/zoneinfo/UTC",
];

/// Directories and links on the way there.
pub(super) const ON_THE_WAY: [&str; 16] = [
    "/System",
    "/System/Cryptexes",
    "/System/Library",
    "/System/Library/CoreServices",
    "/System/Volumes",
    "/System/Volumes/Preboot",
    "/System/Volumes/Preboot/Cryptexes",
    "/System/Volumes/Preboot/Cryptexes/App",
    "/etc",
    "/private",
    "/private/etc",
    "/private/var",
    "/private/var/db",
    "/usr",
    "/usr/share",
    "/var",
];

/// What runtimes ask the kernel when they start: sizes, counts and versions, of nobody.
const VARIABLES: [&str; 27] = [
    "hw.activecpu",
    "hw.byteorder",
    "hw.cachelinesize_compat",
    "hw.cpufamily",
    "hw.cputype",
    "hw.logicalcpu",
    "hw.logicalcpu_max",
    "hw.machine",
    "hw.memsize",
    "hw.ncpu",
    "hw.nperflevels",
    "hw.pagesize",
    "hw.pagesize_compat",
    "hw.physicalcpu",
    "hw.physicalcpu_max",
    "kern.argmax",
    "kern.maxfilesperproc",
    "kern.osproductversion",
    "kern.osrelease",
    "kern.ostype",
    "kern.osvariant_status",
    "kern.osversion",
    "kern.secure_kernel",
    "kern.usrstack64",
    "kern.version",
    "sysctl.proc_cputype",
    "vm.malloc_ranges",
];

/// Controls of a descriptor (`sys/fcntl.h`): duplicates and flags, locks, read-ahead and caching, room on
/// the disk, flushing, paths, the signal of a broken pipe, the signature of what is loaded.
const CONTROLS: [u32; 24] =
    [0, 1, 2, 3, 4, 7, 8, 9, 42, 44, 45, 48, 50, 51, 67, 73, 74, 85, 90, 91, 92, 97, 98, 102];

/// Requests to a socket (`sys/filio.h`): how much there is to read, to be signalled or not, to wait or not.
const REQUESTS: [u32; 3] = [0x4004_667f, 0x8004_667d, 0x8004_667e];

/// The useful accesses of a scenario.
pub fn useful(scenario: &Scenario) -> Vec<Access> {
    let mut useful = start();
    useful.push(launch(scenario.program));
    useful.extend(loaded(scenario.program));
    useful.extend(above(scenario.program));
    for (path, kind) in scenario.read {
        let inner = match kind {
            backends::policy::Kind::Directory => format!("{path}/lib/module.so"),
            backends::policy::Kind::File => (*path).to_owned(),
        };
        useful.extend(loaded(&inner));
        useful.extend(above(path));
    }
    for device in DEVICES.into_iter().chain(["/dev/null"]) {
        useful.extend(
            ["file-read-data", "file-read-metadata", "file-test-existence"]
                .map(|operation| node(operation, device, Vnode::CharacterDevice)),
        );
        useful.extend(above(device));
    }
    // What may be read may be loaded, so that reading is one right: devices are no exception.
    useful
        .extend(DEVICES.map(|device| node("file-map-executable", device, Vnode::CharacterDevice)));
    useful.push(node("file-write-data", "/dev/null", Vnode::CharacterDevice));
    for root in [RUN].into_iter().chain(scenario.write.iter().map(|(path, _)| *path)) {
        useful.extend(written(root));
        useful.extend(above(root));
    }
    if scenario.framework {
        useful.push(name("mach-lookup", "com.apple.secinitd"));
        useful.push(module("Sandbox", 67));
    }
    useful
}

fn start() -> Vec<Access> {
    let mut start = vec![directory("file-read-data", "/"), directory("file-test-existence", "/")];
    start.extend(CODE.iter().flat_map(|path| loaded(path)));
    for path in DATA {
        start.extend(
            ["file-read-data", "file-read-metadata", "file-test-existence"]
                .map(|operation| file(operation, path)),
        );
    }
    start.extend(ON_THE_WAY.iter().flat_map(|path| looked_at(path)));
    start.extend(VARIABLES.map(|variable| name("sysctl-read", variable)));
    start.extend(CONTROLS.map(control));
    start.extend(REQUESTS.map(request));
    // read(2), write(2), kill(2) of itself.
    start.extend([3, 4, 37].map(call));
    start.extend([own("signal"), own("process-info-pidinfo"), own("process-info-rusage")]);
    start.push(own("process-info-codesignature"));
    start
}

/// Code is read and mapped.
fn loaded(path: &str) -> Vec<Access> {
    ["file-map-executable", "file-read-data", "file-read-metadata", "file-test-existence"]
        .map(|operation| file(operation, path))
        .into()
}

fn looked_at(path: &str) -> [Access; 2] {
    ["file-read-metadata", "file-test-existence"].map(|operation| directory(operation, path))
}

/// Finding out where one is walks up to the root.
fn above(path: &str) -> Vec<Access> {
    let mut accesses = Vec::new();
    let mut path = path;
    while let Some((shorter, _)) = path.rsplit_once('/') {
        path = shorter;
        accesses.extend(looked_at(if path.is_empty() { "/" } else { path }));
    }
    accesses
}

/// What programs do with their own files.
fn written(root: &str) -> Vec<Access> {
    let child = format!("{root}/child");
    let mut accesses: Vec<Access> = [
        "file-lock",
        "file-read-data",
        "file-read-metadata",
        "file-read-xattr",
        "file-test-existence",
        "file-write-create",
        "file-write-data",
        "file-write-mode",
        "file-write-times",
        "file-write-unlink",
        "file-write-xattr",
    ]
    .into_iter()
    .map(|operation| file(operation, &child))
    .collect();
    accesses.extend([
        directory("file-write-create", &child),
        directory("file-write-unlink", &child),
        directory("file-write-times", root),
        directory("file-read-data", root),
        // A link that others left there can be removed.
        node("file-write-unlink", &child, Vnode::Symlink),
    ]);
    accesses
}
