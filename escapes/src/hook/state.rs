//! The hook's own state. A hook that is written in the program's language lives in the program's memory:
//! its function, its names and its frames can be looked for and changed.

use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const STATE: Escape = Escape {
    techniques: &["PY-HOOKSTATE"],
    references: &[
        "https://github.com/python/cpython/issues/115322",
        "https://peps.python.org/pep-0578/",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "hook/state",
        summary: "Give the hook, found among all objects, the code of a function that permits, and read a secret",
        witnesses: &["landlock/read-file", "hook/gc.*"],
        python: Some(include_str!("state.py")),
        ..STATE
    },
    Escape {
        id: "hook/state.globals",
        summary: "Replace what the hook may look up, and read a secret by a path that equals everything",
        witnesses: &["landlock/read-file", "hook/open"],
        python: Some(include_str!("state.globals.py")),
        ..STATE
    },
    Escape {
        id: "hook/state.frame",
        summary: "Change the hook's names in the frame that its refusal hands out, and read a secret",
        references: &[
            "https://peps.python.org/pep-0667/",
            "https://www.smartkeyss.com/post/cve-2026-0863-python-sandbox-escape-in-n8n-via-exception-formatting-and-implicit-code-execution",
        ],
        witnesses: &["landlock/read-file", "hook/open"],
        python: Some(include_str!("state.frame.py")),
        ..STATE
    },
    Escape {
        id: "hook/state.signal",
        summary: "Change the hook's names by a signal that comes while it decides, and read a secret",
        references: &["https://peps.python.org/pep-0667/"],
        witnesses: &["landlock/read-file", "hook/open"],
        python: Some(include_str!("state.signal.py")),
        ..STATE
    },
];
