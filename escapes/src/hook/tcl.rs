//! Another language within the process: the interpreter of Tcl, for windows that nobody opens, reads
//! files, starts programs and connects, and is not Python's to audit.

use fixtures::watch::process::MARKER;
use fixtures::watch::tcp::TCP4;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const TCL: Escape = Escape {
    techniques: &["PY-SHM"],
    references: &[
        "https://www.tcl-lang.org/man/tcl8.6/TclCmd/contents.htm",
        "https://github.com/python/cpython/issues/115322",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "hook/tcl",
        summary: "Read a secret by a script of Tcl",
        witnesses: &["landlock/read-file", "hook/import._tkinter"],
        python: Some(concat!(include_str!("tcl.py"), include_str!("tcl.read.py"))),
        ..TCL
    },
    Escape {
        id: "hook/tcl.spawn",
        summary: "Start a shell by a script of Tcl",
        decoys: &[MARKER],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/clone", "hook/import._tkinter"],
        python: Some(concat!(
            include_str!("../exec/marker.py"),
            include_str!("tcl.py"),
            include_str!("tcl.spawn.py")
        )),
        ..TCL
    },
    Escape {
        id: "hook/tcl.connect",
        summary: "Connect to a listener by a script of Tcl",
        decoys: &[TCP4],
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::OtherNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &[
            "landlock/connect-tcp",
            "seccomp/connect",
            "seccomp/socket",
            "hook/import._tkinter",
        ],
        python: Some(concat!(include_str!("tcl.py"), include_str!("tcl.connect.py"))),
        ..TCL
    },
];
