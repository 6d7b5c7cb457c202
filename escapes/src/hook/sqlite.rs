//! A language within the language: statements of SQL open and create files, and a hook hears of the
//! database that was connected to and of no other.

use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const SQLITE: Escape = Escape {
    techniques: &["PY-SHM"],
    references: &[
        "https://www.sqlite.org/lang_attach.html",
        "https://docs.python.org/3/library/audit_events.html",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "hook/sqlite",
        summary: "Create a file outside by attaching a database to one in memory",
        witnesses: &["landlock/make-reg"],
        python: Some(concat!(include_str!("sqlite.py"), include_str!("sqlite.attach.py"))),
        ..SQLITE
    },
    Escape {
        id: "hook/sqlite.connect",
        summary: "Create a file outside by connecting to a database there",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
        witnesses: &["landlock/make-reg", "hook/sqlite3.connect"],
        python: Some(include_str!("sqlite.connect.py")),
        ..SQLITE
    },
    Escape {
        id: "hook/sqlite.vacuum",
        summary: "Create a file outside by tidying a database in memory into it",
        references: &[
            "https://www.sqlite.org/lang_vacuum.html",
            "https://docs.python.org/3/library/audit_events.html",
        ],
        witnesses: &["landlock/make-reg"],
        python: Some(concat!(include_str!("sqlite.py"), include_str!("sqlite.vacuum.py"))),
        ..SQLITE
    },
];
