//! Writing by the interpreter's own C code, long after anything could be asked: tracebacks of a crash
//! and the bytes that wake an event loop go to any descriptor that is open.

use fixtures::watch::inherited::INHERITED_WRITE;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const DESCRIPTOR: Escape = Escape {
    techniques: &["PY-FAULTHANDLER"],
    references: &["https://docs.python.org/3/library/faulthandler.html", "CWE-403"],
    decoys: &[INHERITED_WRITE],
    stops: &[Layer::Hygiene],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "hook/descriptor",
        summary: "Write a traceback to a file outside that the launcher left open",
        witnesses: &["hygiene/close-descriptors"],
        python: Some(include_str!("descriptor.fault.py")),
        ..DESCRIPTOR
    },
    Escape {
        id: "hook/descriptor.wakeup",
        summary: "Write the byte that tells of a signal to a file outside that the launcher left open",
        references: &[
            "https://docs.python.org/3/library/signal.html#signal.set_wakeup_fd",
            "CWE-403",
        ],
        witnesses: &["hygiene/close-descriptors"],
        python: Some(include_str!("descriptor.wakeup.py")),
        ..DESCRIPTOR
    },
];
