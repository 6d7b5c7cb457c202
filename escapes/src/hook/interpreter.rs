//! An interpreter within the process. Audit hooks that Python code adds belong to the interpreter that
//! added them.

use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const INTERPRETER: Escape = Escape {
    techniques: &["PY-SUBINTERP"],
    references: &[
        "https://github.com/python/cpython/issues/87638",
        "https://peps.python.org/pep-0554/",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "hook/interpreter",
        summary: "Read a secret in a second interpreter of the same process",
        witnesses: &[
            "landlock/read-file",
            "hook/cpython.PyInterpreterState_New",
            "hook/import._interpreters",
            "hook/import._xxsubinterpreters",
        ],
        python: Some(concat!(include_str!("interpreter.py"), include_str!("interpreter.read.py"))),
        ..INTERPRETER
    },
    Escape {
        id: "hook/interpreter.test",
        summary: "Read a secret in a second interpreter that the interpreter's own tests make",
        witnesses: &["landlock/read-file", "hook/import._testcapi"],
        python: Some(concat!(
            include_str!("interpreter.test.py"),
            include_str!("interpreter.read.py")
        )),
        ..INTERPRETER
    },
];
