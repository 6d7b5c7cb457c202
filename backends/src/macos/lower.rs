//! From granted places to a profile: pure, total, and the only way there.
//!
//! The order of the rules is part of their meaning and is always the same: what everything is an
//! exception of, what that does not close, what every program needs to start, what is granted, and last
//! the guards, each of which names the narrowest operation. No rule stands here that changes nothing:
//! the tests take each one away and demand that somebody notices.

use super::access::Vnode;
use super::known::{CONTROLS, HOST, REQUESTS, SYSTEM_V, VARIABLES};
use super::operation::{Action, Operation};
use super::places::Places;
use super::profile::Profile;
use super::rules::{Filter, Rule, Text, is_beneath};
use crate::policy::{Kind, Place};
use std::collections::BTreeSet;

/// The parameter of the program.
pub const PROGRAM: &str = "PROGRAM";

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

/// What applies the profile to itself and becomes the program.
pub const LAUNCHER: &str = "/usr/bin/sandbox-exec";

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
        rules.extend(image(places.reads(program)));
        if program.contains(".framework/Versions/") && program.ends_with(FRAMEWORK_IMAGE) {
            rules.extend(framework());
        }
        parameters.push((PROGRAM.to_owned(), Place::Path(program.clone())));
    }
    for (number, (place, kind)) in places.read.iter().enumerate() {
        let name = parameter("READ", number, place);
        rules.push(allow(&READ_AND_MAP, vec![within(&name, *kind)]));
        parameters.push((name, place.clone()));
    }
    let mut written = Vec::new();
    for (number, (place, kind)) in places.write.iter().enumerate() {
        let name = parameter("WRITE", number, place);
        rules.push(writable(&name, *kind, is_read(places, place)));
        written.push((name.clone(), place, *kind));
        parameters.push((name, place.clone()));
    }
    rules.extend(above(places, &parameters));
    rules.extend(guards(places, &written));
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
    let calls = HOST.into_iter().chain(SYSTEM_V).map(Filter::UnixCall).collect();
    vec![
        Rule::everywhere(Action::Deny, &["default"]),
        Rule::everywhere(Action::Deny, &open),
        deny(&["syscall-unix"], calls),
    ]
}

/// What every program needs to start. The root directory is read, not only looked at: the loader opens
/// it, and without it a program aborts before its first instruction.
fn start() -> Vec<Rule> {
    let subpath = |path: &&str| Filter::Subpath(Text::fixed(path));
    let literal = |path: &&str| Filter::Literal(Text::fixed(path));
    let variable = |name: &&str| Filter::SysctlName(Text::fixed(name));
    let controls = CONTROLS.into_iter().map(Filter::FcntlCommand).collect();
    let requests = REQUESTS.into_iter().map(Filter::IoctlCommand).collect();
    let paths = CODE.iter().chain(&DATA).chain(&DATA_FILES);
    let above: BTreeSet<&str> = paths.flat_map(|path| ancestors(path)).chain(LINKS).collect();
    vec![
        allow(&["file-read*"], vec![literal(&"/")]),
        allow(&READ_AND_MAP, CODE.iter().map(subpath).collect()),
        allow(&READ, DATA.iter().map(subpath).chain(DATA_FILES.iter().map(literal)).collect()),
        allow(&LOOK, above.iter().map(literal).collect()),
        allow(&["process-info*", "process-info-codesignature", "signal"], vec![Filter::OwnProcess]),
        allow(&["socket-ioctl"], requests),
        allow(&["sysctl-read"], VARIABLES.iter().map(variable).collect()),
        allow(&["system-fcntl"], controls),
    ]
}

/// The directories above a path, nearest first, the root aside.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    let slashes = path.rmatch_indices('/').map(|(at, _)| at);
    slashes.filter_map(|at| path.get(..at)).filter(|path| !path.is_empty())
}

/// The one image that may be executed, by `sandbox-exec` alone: it confines itself and then becomes the
/// program, which is another image and so may execute nothing, itself neither. It is read and mapped, which
/// is given already where it lies in a directory that is granted.
fn image(is_read: bool) -> Vec<Rule> {
    let program = || Filter::Literal(Text::parameter(PROGRAM));
    let once = Filter::All(vec![program(), Filter::ProcessPath(Text::fixed(LAUNCHER))]);
    let mut rules = vec![allow(&["process-exec*"], vec![once])];
    if !is_read {
        rules.push(allow(&READ_AND_MAP, vec![program()]));
    }
    rules
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

fn within(name: &str, kind: Kind) -> Filter {
    match kind {
        Kind::Directory => Filter::Subpath(Text::parameter(name)),
        Kind::File => Filter::Literal(Text::parameter(name)),
    }
}

/// A place that may be written. Of a single file only the content is: it stays where and what it is.
/// Where it lies in a place that may be read, reading is given already.
fn writable(name: &str, kind: Kind, is_read: bool) -> Rule {
    let write: &[&str] = match kind {
        Kind::Directory => &["file-lock", "file-write*"],
        Kind::File => &["file-write-data"],
    };
    let read: &[&str] = if is_read { &[] } else { &READ };
    allow(&[read, write].concat(), vec![within(name, kind)])
}

/// Whether a place lies in one that may be read.
fn is_read(places: &Places, place: &Place) -> bool {
    match place {
        Place::Run | Place::Program => false,
        Place::Path(path) => places.reads(path),
    }
}

/// The directories above each place may be looked at, not listed: finding out where one is walks them.
/// One rule with a filter for each place whose directories are not those of another.
fn above(places: &Places, parameters: &[(String, Place)]) -> Option<Rule> {
    let mut chosen: Vec<(&str, Option<&str>)> = Vec::new();
    for (name, place) in parameters {
        let parent = match place {
            Place::Run | Place::Program => None,
            Place::Path(path) if places.reads_above(path) => continue,
            Place::Path(path) => ancestors(path).next(),
        };
        let implied = |wide: Option<&str>, narrow: Option<&str>| match (wide, narrow) {
            (Some(wide), Some(narrow)) => is_beneath(narrow, wide),
            (None, _) | (_, None) => false,
        };
        if matches!(place, Place::Path(_)) && parent.is_none() {
            // Directly below the root, which is readable.
            continue;
        }
        if chosen.iter().any(|(_, other)| implied(parent, *other)) {
            continue;
        }
        chosen.retain(|(_, other)| !implied(*other, parent));
        chosen.push((name, parent));
    }
    let filters: Vec<Filter> =
        chosen.iter().map(|(name, _)| Filter::Ancestors(Text::parameter(name))).collect();
    (!filters.is_empty()).then(|| allow(&LOOK, filters))
}

/// What may not happen where something may be written: the directory itself stays, so that nobody
/// follows a link in its place; nothing is made that leads elsewhere or means something to others; what
/// was written is not loaded as code, where a wider grant would let it.
fn guards(places: &Places, written: &[(String, &Place, Kind)]) -> Vec<Rule> {
    let special = Vnode::ALL
        .into_iter()
        .filter(|kind| !matches!(kind, Vnode::Directory | Vnode::RegularFile))
        .collect();
    let directories = written.iter().filter(|(_, _, kind)| *kind == Kind::Directory);
    let roots: Vec<Filter> =
        directories.map(|(name, _, _)| Filter::Literal(Text::parameter(name))).collect();
    let loaded: Vec<Filter> = written
        .iter()
        .filter(|(_, place, _)| is_read(places, place))
        .map(|(name, _, kind)| within(name, *kind))
        .collect();
    let mut rules = Vec::new();
    if !roots.is_empty() {
        rules.push(deny(
            &["file-write-acl", "file-write-flags", "file-write-owner", "file-write-setugid"],
            Vec::new(),
        ));
        rules.push(deny(&["file-write-create"], vec![Filter::VnodeType(special)]));
        rules.push(deny(&["file-write-unlink"], roots));
    }
    if !loaded.is_empty() {
        rules.push(deny(&["file-map-executable"], loaded));
    }
    rules
}
