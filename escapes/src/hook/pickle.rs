//! Reach a function by data that is read back: the names of what is called stand in bytes, where no look
//! at the program's text finds them.

use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const SERIALISED: Escape = Escape {
    techniques: &["PY-PICKLE"],
    references: &["https://docs.python.org/3/library/pickle.html", "CWE-502"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "hook/pickle",
        summary: "Read a secret by an object that opens it when it is read back",
        witnesses: &["landlock/read-file", "hook/open"],
        python: Some(include_str!("pickle.py")),
        ..SERIALISED
    },
    Escape {
        id: "hook/pickle.shelf",
        summary: "Read a secret by an object in a stored state that is restored",
        witnesses: &["landlock/read-file", "hook/open"],
        python: Some(include_str!("pickle.shelf.py")),
        ..SERIALISED
    },
    Escape {
        id: "hook/pickle.code",
        summary: "Read a secret by code that was stored as bytes",
        references: &["https://docs.python.org/3/library/marshal.html", "CWE-502"],
        witnesses: &["landlock/read-file", "hook/open"],
        python: Some(include_str!("pickle.code.py")),
        ..SERIALISED
    },
];
