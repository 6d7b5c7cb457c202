//! Work in Python, by the interpreter and its standard library alone. Each text defines `work(scene)`.

use harness::escape::Need;
use harness::useful::{UsefulWork, Work};
use std::fs;
use std::path::Path;

/// Work in Python that is unharmed under the audit hook too, and whose proof says all.
macro_rules! python {
    ($id:literal, $text:literal, $summary:literal) => {
        UsefulWork {
            id: concat!("useful/python-", $id),
            summary: $summary,
            work: Work::Python(include_str!(concat!("python/", $text, ".py"))),
            ..UsefulWork::BLANK
        }
    };
}

/// Work that needs modules which an interpreter may have been built or installed without.
const fn may_lack(modules: &'static [&'static str], work: UsefulWork) -> UsefulWork {
    UsefulWork { may_lack: modules, ..work }
}

/// Work that the audit hook refuses by intent.
const fn without_hook(work: UsefulWork) -> UsefulWork {
    UsefulWork { hook: false, ..work }
}

pub(super) const WORKS: &[UsefulWork] = &[
    python!("modules", "modules", "The modules that every interpreter has are imported"),
    python!("text", "text", "JSON, regular expressions, digests, tables and compression"),
    python!("language", "language", "Generators, decimals, data classes and code made at run time"),
    may_lack(
        &["sqlite3", "_sqlite3"],
        python!("sqlite", "sqlite", "sqlite in memory and on disk, in five journal modes"),
    ),
    may_lack(
        &["sqlite3", "_sqlite3"],
        python!("sqlite-shared", "shared_stores", "sqlite shared by threads, in WAL and read-only"),
    ),
    python!("asyncio", "asynchronous", "asyncio with threads, signals, timeouts and readers"),
    python!("threads", "threads", "Threads, pools, queues and timers"),
    python!("temporary", "temporary", "Temporary files, saving by renaming, and lock files"),
    python!("trees", "trees", "Trees are copied with modes and times, moved and removed"),
    python!("archives", "archives", "Archives of every kind are made and taken apart"),
    python!("subprocesses", "subprocesses", "The program goes on when a second process is refused"),
    python!("sockets", "sockets", "The program goes on when the network is refused"),
    may_lack(
        &["_multiprocessing"],
        python!(
            "semaphores",
            "semaphores",
            "The program goes on when locks of processes are refused"
        ),
    ),
    may_lack(
        &["_multiprocessing"],
        python!(
            "processes",
            "processes",
            "The program goes on when pools of processes are refused"
        ),
    ),
    python!("recursion", "recursion", "Deep recursion on a large stack, and one without end"),
    python!("memory", "memory", "Mapped files and a hundred megabytes of memory"),
    python!("system", "system", "Randomness, clocks, identity, limits and processors"),
    python!("signals", "signals", "Signals to itself, timers and selectors"),
    python!("interrupts", "interrupts", "Calls go on after a signal, and a broken pipe is told"),
    python!("locale", "locales", "Locales, encodings and names of files in every script"),
    UsefulWork {
        may_lack: &["zoneinfo"],
        also_needs: &[
            Need::File("/usr/share/zoneinfo/Europe/Paris"),
            Need::File("/usr/share/zoneinfo/America/New_York"),
        ],
        ..python!("zoneinfo", "zones", "Time zones from the data of the host")
    },
    python!("logging", "logs", "Logs that rotate, warnings and stack dumps"),
    UsefulWork {
        check: Some(check_left),
        ..python!(
            "leaving",
            "leaving",
            "Leaving by SystemExit runs what was registered for the end"
        )
    },
    UsefulWork {
        check: Some(check_output),
        ..python!("output", "output", "4 MB of lines arrive whole")
    },
    python!("imports", "imports", "Own code is compiled, imported and imported again"),
    python!("stores", "stores", "Pickles, shelves, configuration and XML"),
    python!("tests", "tests", "A test run with unittest"),
    without_hook(may_lack(
        &["_ctypes"],
        python!("ctypes", "callbacks", "Calls into the C library and back into Python"),
    )),
    without_hook(may_lack(
        &["numpy"],
        python!(
            "numpy",
            "arrays",
            "numpy, where the interpreter has it, computes and keeps arrays"
        ),
    )),
    without_hook(python!(
        "libraries",
        "libraries",
        "Every module that needs a library is imported"
    )),
    without_hook(python!("limits", "limits", "The program lowers its own limits")),
    without_hook(python!(
        "profile",
        "profiles",
        "Profiles, examples, traced lines and traced memory"
    )),
];

fn check_left(run: &Path, _stdout: &[u8]) -> Result<(), String> {
    match fs::read_to_string(run.join("left")) {
        Ok(text) if text == "left in order" => Ok(()),
        other => Err(format!("left: {other:?}")),
    }
}

fn check_output(_run: &Path, stdout: &[u8]) -> Result<(), String> {
    let line = "0123456789abcdef".repeat(64);
    let lines = stdout.split(|byte| *byte == b'\n').filter(|part| *part == line.as_bytes());
    let count = lines.count();
    let last: &[u8] = b"bytes \xff\0 and the last line\n";
    match count {
        4_096 if stdout.windows(last.len()).any(|part| part == last) => Ok(()),
        4_096 => Err("the last line is missing".into()),
        _ => Err(format!("{count} lines instead of 4096")),
    }
}
