//! The lists that the audit hook applies. They are data, so that a mutation can weaken each element; `judge.py` has none.
//!
//! What an event is called and which arguments it carries is documented in
//! <https://docs.python.org/3/library/audit_events.html>.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Everything that the hook decides by, apart from the paths of a [`HookPolicy`](super::HookPolicy).
///
/// An event is looked up in `fatal`, `guarded`, `arguments`, `allowed` and `namespaces`, in this order. What is in none of
/// them is permitted: it belongs to a library or to the program itself and governs nothing, since the operation behind it
/// raises an event of the interpreter too (`shutil.rmtree` is followed by `os.rmdir`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookRules {
    /// Events that are judged by their arguments.
    pub arguments: BTreeMap<String, Vec<ArgumentRule>>,
    /// Events that are permitted although their namespace is refused.
    pub allowed: BTreeSet<String>,
    /// Prefixes of the events that are refused: with these, an event that a later Python adds beside its kin is refused too.
    pub namespaces: BTreeSet<String>,
    /// Events that end the process, because the interpreter ignores a refusal.
    pub fatal: BTreeSet<String>,
    /// Events that end the process if their first argument is a function of the hook.
    pub guarded: BTreeSet<String>,
    /// Modules that are not imported.
    pub modules: BTreeSet<String>,
    /// Modules that honest ones import at their top, replaced by a module of functions that refuse.
    pub refusing: BTreeMap<String, BTreeSet<String>>,
    /// Flags of open(2), each of which makes opening an act of writing. Distinct bits.
    pub write_flags: BTreeSet<i32>,
    /// Letters in the mode of fopen(3), each of which makes opening an act of writing.
    pub write_modes: BTreeSet<char>,
}

/// How one argument of an event is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentRule {
    /// The index of the argument.
    pub position: usize,
    /// The index of the descriptor of the directory that a relative path starts from, where the event reports it.
    pub directory: Option<usize>,
    /// What the argument must be.
    pub check: Check,
}

/// What an argument must be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// A path to open: readable or writable, as the other arguments of the event `open` say.
    Open,
    /// A readable path; links are followed.
    Read,
    /// A writable path; links are followed.
    Write,
    /// An entry of a writable directory: a link in last place is the entry itself.
    Entry,
    /// A writable path both with and without following a link in last place. A descriptor is judged by what it is open on.
    Metadata,
    /// A writable path or URI of sqlite3, or `:memory:`.
    Database,
    /// The process itself.
    OwnProcess,
    /// One of these integers; `None` is Python's `None`.
    OneOf(BTreeSet<Option<i64>>),
}

impl HookRules {
    /// The rules that go with every policy.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            arguments: standard_arguments(),
            allowed: set(&[
                "fcntl.flock",
                "fcntl.lockf",
                "os.fwalk",
                "os.lockf",
                "os.putenv",
                "os.unsetenv",
                "os.walk",
                "socket.gethostname",
                "sqlite3.connect/handle",
                "sys._getframe",
                "sys._getframemodulename",
                "sys.excepthook",
                "sys.set_asyncgen_hook_finalizer",
                "sys.set_asyncgen_hook_firstiter",
                "sys.unraisablehook",
            ]),
            namespaces: set(&[
                "fcntl.",
                "gc.",
                "os.",
                "resource.",
                "socket.",
                "sqlite3.",
                "sys.",
                "syslog.",
            ]),
            // A finaliser that outlives the first runs without the hook, and so does every line of the second.
            fatal: set(&["cpython.PyInterpreterState_Clear", "cpython.PyInterpreterState_New"]),
            guarded: set(&["object.__getattr__", "object.__setattr__"]),
            modules: standard_modules(),
            refusing: BTreeMap::from([("_posixsubprocess".to_owned(), set(&["fork_exec"]))]),
            write_flags: BTreeSet::from([
                libc::O_WRONLY,
                libc::O_RDWR,
                libc::O_CREAT,
                libc::O_TRUNC,
            ]),
            write_modes: BTreeSet::from(['+', 'a', 'w', 'x']),
        }
    }
}

/// Modules that reach files, processes, memory or another interpreter without raising an event.
fn standard_modules() -> BTreeSet<String> {
    set(&[
        "_cffi_backend",
        "_ctypes",
        "_dbm",
        "_gdbm",
        "_imp", // A second copy of it would hold an unguarded `create_builtin`.
        "_interpreters",
        "_posixshmem",
        "_posixsubprocess",
        "_remote_debugging",
        "_testcapi",
        "_testinternalcapi",
        "_testlimitedcapi",
        "_tkinter",
        "_xxsubinterpreters",
        "readline",
    ])
}

/// Which events carry what: paths first, then processes, descriptors and sockets.
fn standard_arguments() -> BTreeMap<String, Vec<ArgumentRule>> {
    use Check::{Database, Entry, Metadata, Open, OwnProcess, Read, Write};
    let rule = |position, check| ArgumentRule { position, directory: None, check };
    let from =
        |position, directory, check| ArgumentRule { position, directory: Some(directory), check };
    let rows = [
        ("open", vec![rule(0, Open)]),
        ("os.chdir", vec![rule(0, Read)]),
        ("os.getxattr", vec![rule(0, Read)]),
        ("os.listdir", vec![rule(0, Read)]),
        ("os.listxattr", vec![rule(0, Read)]),
        ("os.scandir", vec![rule(0, Read)]),
        ("os.truncate", vec![rule(0, Write)]),
        ("sqlite3.connect", vec![rule(0, Database)]),
        ("os.mkdir", vec![from(0, 2, Entry)]),
        ("os.remove", vec![from(0, 1, Entry)]),
        ("os.rename", vec![from(0, 2, Entry), from(1, 3, Entry)]),
        ("os.rmdir", vec![from(0, 1, Entry)]),
        ("os.symlink", vec![from(1, 2, Entry)]),
        // A second name carries the rights of the directory that it stands in, so the file must be writable already.
        ("os.link", vec![from(0, 2, Metadata), from(1, 3, Entry)]),
        ("os.chflags", vec![rule(0, Metadata)]),
        ("os.chmod", vec![from(0, 2, Metadata)]),
        ("os.chown", vec![from(0, 3, Metadata)]),
        ("os.removexattr", vec![rule(0, Metadata)]),
        ("os.setxattr", vec![rule(0, Metadata)]),
        ("os.utime", vec![from(0, 3, Metadata)]),
        ("os.kill", vec![rule(0, OwnProcess)]),
        ("fcntl.fcntl", vec![rule(1, one_of(FCNTL_COMMANDS))]),
        ("fcntl.ioctl", vec![rule(1, one_of(IOCTL_REQUESTS))]),
        // The pair of sockets that wakes an event loop raises this event as any socket does. A lone socket of its kind can
        // do nothing: connect, bind and sendto are refused, and sendmsg may name no address.
        (
            "socket.__new__",
            vec![
                rule(1, one_of([libc::AF_UNIX.into()])),
                rule(2, one_of([libc::SOCK_STREAM.into()])),
                rule(3, one_of([0])),
            ],
        ),
        ("socket.sendmsg", vec![rule(1, Check::OneOf(BTreeSet::from([None])))]),
    ];
    rows.into_iter().map(|(event, rules)| (event.to_owned(), rules)).collect()
}

/// Commands of fcntl(2) on a descriptor of the process's own: none that sends signals, takes leases or seals.
const FCNTL_COMMANDS: [i64; 9] = [
    libc::F_DUPFD as i64,
    libc::F_DUPFD_CLOEXEC as i64,
    libc::F_GETFD as i64,
    libc::F_GETFL as i64,
    libc::F_GETLK as i64,
    libc::F_SETFD as i64,
    libc::F_SETFL as i64,
    libc::F_SETLK as i64,
    libc::F_SETLKW as i64,
];

/// Requests of ioctl(2) that an event loop or a terminal's width needs.
const IOCTL_REQUESTS: [i64; 5] = [
    libc::FIOCLEX as i64,
    libc::FIONBIO as i64,
    libc::FIONCLEX as i64,
    libc::FIONREAD as i64,
    libc::TIOCGWINSZ as i64,
];

fn one_of<const N: usize>(values: [i64; N]) -> Check {
    Check::OneOf(values.into_iter().map(Some).collect())
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}
