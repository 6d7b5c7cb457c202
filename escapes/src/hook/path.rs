//! Paths that mean one thing to the hook and another to the kernel. An event shows a path before it is
//! used, and not everything that decides what it names.

use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const PATH: Escape = Escape {
    techniques: &["PY-FSPATHTOCTOU"],
    references: &[
        "https://github.com/python/cpython/issues/116429",
        "https://docs.python.org/3/library/audit_events.html",
        "CWE-367",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::OwnTree,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "hook/path",
        summary: "Read a secret by an object that names another path to whoever judges it",
        witnesses: &["landlock/read-file", "hook/open"],
        python: Some(include_str!("path.like.py")),
        ..PATH
    },
    Escape {
        id: "hook/path.text",
        summary: "Read a secret by a path whose methods speak of another one",
        witnesses: &["landlock/read-file", "hook/open"],
        python: Some(include_str!("path.text.py")),
        ..PATH
    },
    Escape {
        id: "hook/path.directory",
        summary: "Read a secret by a relative path from a directory that the event does not show",
        witnesses: &["landlock/read-file", "hook/open"],
        python: Some(include_str!("path.directory.py")),
        ..PATH
    },
    Escape {
        id: "hook/path.copy",
        summary: "Read a secret so by a fresh copy of the module that a hook has patched",
        witnesses: &["landlock/read-file", "hook/open"],
        python: Some(include_str!("path.copy.py")),
        ..PATH
    },
    Escape {
        id: "hook/path.race",
        summary: "Read a secret by a link that changes between the hook's look and the kernel's",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["landlock/read-file"],
        python: Some(include_str!("path.race.py")),
        ..PATH
    },
];
