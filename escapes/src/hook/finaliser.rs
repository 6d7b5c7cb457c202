//! An act after the end. When an interpreter ends it clears its hooks before its last objects, whose
//! finalisers are code of the program.

use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const FINALISER: Escape = Escape {
    techniques: &["PY-THREADHOOK", "PY-HOOKSTATE"],
    references: &[
        "https://peps.python.org/pep-0578/",
        "https://docs.python.org/3/c-api/sys.html#c.PySys_AddAuditHook",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    silent: Some("the act comes after the program's last word"),
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "hook/finaliser",
        summary: "Read a secret by the finaliser of a codec, after the interpreter has cleared its hooks",
        witnesses: &["landlock/read-file", "hook/cpython.PyInterpreterState_Clear"],
        python: Some(concat!(include_str!("finaliser.py"), include_str!("finaliser.codec.py"))),
        ..FINALISER
    },
    Escape {
        id: "hook/finaliser.error",
        summary: "Read a secret by the finaliser of a handler of coding errors",
        witnesses: &["landlock/read-file", "hook/cpython.PyInterpreterState_Clear"],
        python: Some(concat!(include_str!("finaliser.py"), include_str!("finaliser.error.py"))),
        ..FINALISER
    },
];
