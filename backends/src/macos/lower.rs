//! From granted places to a profile: pure, total, and the only way there.
//!
//! The order of the rules is part of their meaning and is always the same: what everything is an
//! exception of, what that does not close, what every program needs to start, what is granted, and last
//! the guards, each of which names the narrowest operation. No rule stands here that changes nothing:
//! the tests take each one away and demand that somebody notices.

use super::access::Vnode;
use super::operation::{Action, Operation};
use super::places::Places;
use super::profile::Profile;
use super::rules::{Filter, Rule, Text};
use crate::policy::{Kind, Place};

/// The parameter of the program.
pub(super) const PROGRAM: &str = "PROGRAM";

/// Directories of code that every program loads. On macOS 13 and later the system's libraries lie in
/// cryptexes, which are seen at two places.
const CODE: [&str; 9] = [
    "/System/Cryptexes/App",
    "/System/Cryptexes/OS",
    "/System/Library/Frameworks",
    "/System/Library/PrivateFrameworks",
    "/System/Library/SubFrameworks",
    "/System/Library/dyld",
    "/System/Volumes/Preboot/Cryptexes/App/System",
    "/System/Volumes/Preboot/Cryptexes/OS",
    "/usr/lib",
];

/// Data that the C library reads of its own accord: time zones, and which system this is.
const DATA: [&str; 3] =
    ["/private/var/db/timezone", "/usr/share/zoneinfo", "/usr/share/zoneinfo.default"];
const DATA_FILES: [&str; 3] = [
    "/System/Library/CoreServices/.SystemVersionPlatform.plist",
    "/System/Library/CoreServices/SystemVersion.plist",
    "/private/etc/localtime",
];

/// Links on the way to that data. Both the link and what it leads to are looked at.
const LINKS: [&str; 2] = ["/etc", "/var"];

/// The kernel's variables that runtimes read when they start. Not among them: `kern.procargs2` and
/// `kern.proc.*`, which are the arguments, environment and list of other processes, `kern.hostname`,
/// and anything by prefix.
pub(super) const VARIABLES: [&str; 27] = [
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

const READ: [&str; 2] = ["file-read*", "file-test-existence"];
const READ_AND_MAP: [&str; 3] = ["file-map-executable", "file-read*", "file-test-existence"];
const LOOK: [&str; 2] = ["file-read-metadata", "file-test-existence"];

/// The image that a Python of a framework build (python.org, Homebrew, Xcode) really is.
const FRAMEWORK_IMAGE: &str = "/Resources/Python.app/Contents/MacOS/Python";

/// The profile for these places.
pub(super) fn lower(places: &Places) -> Profile {
    let mut rules = closed();
    let mut parameters = Vec::new();
    rules.extend(start());
    if let Some(program) = &places.program {
        rules.extend(image());
        if program.contains(".framework/Versions/") && program.ends_with(FRAMEWORK_IMAGE) {
            rules.extend(framework());
        }
        parameters.push((PROGRAM.to_owned(), Place::Path(program.clone())));
    }
    let (mut granted, mut guards) = (Vec::new(), Vec::new());
    for (number, (place, kind)) in places.read.iter().enumerate() {
        let name = parameter("READ", number, place);
        granted.extend(readable(&name, *kind));
        parameters.push((name, place.clone()));
    }
    for (number, (place, kind)) in places.write.iter().enumerate() {
        let name = parameter("WRITE", number, place);
        granted.extend(writable(&name, *kind));
        guards.extend(guarded(&name, *kind));
        parameters.push((name, place.clone()));
    }
    rules.extend(granted);
    rules.extend(guards);
    Profile { rules, parameters }
}

fn parameter(kind: &str, number: usize, place: &Place) -> String {
    match place {
        Place::Run => "RUN".to_owned(),
        Place::Program => "PROGRAM_TEXT".to_owned(),
        Place::Path(_) => format!("{kind}_{number}"),
    }
}

fn allow(operations: &[&str], filters: Vec<Filter>) -> Rule {
    Rule::new(Action::Allow, operations, filters)
}

fn deny(operations: &[&str], filters: Vec<Filter>) -> Rule {
    Rule::new(Action::Deny, operations, filters)
}

/// What everything else is an exception of, and by name the operations that it leaves open.
fn closed() -> Vec<Rule> {
    let open: Vec<&str> = Operation::open().map(Operation::name).collect();
    vec![Rule::everywhere(Action::Deny, &["default"]), Rule::everywhere(Action::Deny, &open)]
}

/// What every program needs to start. The root directory is read, not only looked at: the loader opens
/// it, and without it a program aborts before its first instruction.
fn start() -> Vec<Rule> {
    let subpath = |path: &&str| Filter::Subpath(Text::fixed(path));
    let literal = |path: &&str| Filter::Literal(Text::fixed(path));
    let above = |path: &&str| Filter::Ancestors(Text::fixed(path));
    let variable = |name: &&str| Filter::SysctlName(Text::fixed(name));
    let all = || CODE.iter().chain(&DATA).chain(&DATA_FILES);
    vec![
        allow(&READ, vec![literal(&"/")]),
        allow(&READ_AND_MAP, CODE.iter().map(subpath).collect()),
        allow(&READ, DATA.iter().map(subpath).chain(DATA_FILES.iter().map(literal)).collect()),
        allow(&LOOK, LINKS.iter().map(literal).chain(all().map(above)).collect()),
        allow(&["process-info*", "signal"], vec![Filter::OwnProcess]),
        allow(&["sysctl-read"], VARIABLES.iter().map(variable).collect()),
    ]
}

/// The one image that may be executed. `sandbox-exec` confines itself and then becomes it. It may become
/// itself once more, which gains nothing; nothing may fork.
fn image() -> Vec<Rule> {
    let program = || Text::parameter(PROGRAM);
    vec![
        allow(&["process-exec*"], vec![Filter::Literal(program())]),
        allow(&READ_AND_MAP, vec![Filter::Literal(program())]),
        allow(&LOOK, vec![Filter::Ancestors(program())]),
    ]
}

/// What Apple's frameworks ask before a framework build of Python begins: whether a container is
/// expected, by one service and one call of the sandbox's own module.
fn framework() -> Vec<Rule> {
    let call =
        Filter::All(vec![Filter::PolicyName(Text::fixed("Sandbox")), Filter::SyscallNumber(67)]);
    vec![
        allow(&["mach-lookup"], vec![Filter::GlobalName(Text::fixed("com.apple.secinitd"))]),
        allow(&["system-mac-syscall"], vec![call]),
    ]
}

fn place(name: &str, kind: Kind) -> Filter {
    match kind {
        Kind::Directory => Filter::Subpath(Text::parameter(name)),
        Kind::File => Filter::Literal(Text::parameter(name)),
    }
}

/// A place that may be read. Code in it may be loaded: the program cannot have written it.
fn readable(name: &str, kind: Kind) -> Vec<Rule> {
    vec![
        allow(&READ_AND_MAP, vec![place(name, kind)]),
        allow(&LOOK, vec![Filter::Ancestors(Text::parameter(name))]),
    ]
}

/// A place that may be written. Of a single file only the content is: it stays where and what it is.
fn writable(name: &str, kind: Kind) -> Vec<Rule> {
    let operations: &[&str] = match kind {
        Kind::Directory => &["file-lock", "file-read*", "file-test-existence", "file-write*"],
        Kind::File => &["file-read*", "file-test-existence", "file-write-data"],
    };
    vec![
        allow(operations, vec![place(name, kind)]),
        allow(&LOOK, vec![Filter::Ancestors(Text::parameter(name))]),
    ]
}

/// What may not happen in a place that may be written: code that was written is not loaded; the
/// directory itself stays, so that nobody follows a link in its place; nothing is made that leads
/// elsewhere or means something to others.
fn guarded(name: &str, kind: Kind) -> Vec<Rule> {
    let code = deny(&["file-map-executable"], vec![place(name, kind)]);
    if kind == Kind::File {
        return vec![code];
    }
    let special = Vnode::ALL
        .into_iter()
        .filter(|kind| !matches!(kind, Vnode::Directory | Vnode::RegularFile))
        .collect();
    vec![
        code,
        deny(&["file-write-unlink"], vec![Filter::Literal(Text::parameter(name))]),
        deny(
            &["file-write-create"],
            vec![Filter::All(vec![place(name, kind), Filter::VnodeType(special)])],
        ),
        deny(
            &["file-write-acl", "file-write-flags", "file-write-owner", "file-write-setugid"],
            vec![place(name, kind)],
        ),
    ]
}
