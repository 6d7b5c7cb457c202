//! The library that edits command lines opens files of its own, and no audit event tells of it.

use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const READLINE: Escape = Escape {
    techniques: &["PY-READLINE"],
    references: &[
        "https://github.com/python/cpython/issues/115322",
        "https://docs.python.org/3/library/readline.html#history-file",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "hook/readline",
        summary: "Read a credential from a configuration as a history of command lines",
        witnesses: &["landlock/read-file", "hook/import.readline"],
        python: Some(include_str!("readline.py")),
        ..READLINE
    },
    Escape {
        id: "hook/readline.write",
        summary: "Create a file outside as a history of command lines",
        witnesses: &["landlock/make-reg", "hook/import.readline"],
        python: Some(include_str!("readline.write.py")),
        ..READLINE
    },
];
