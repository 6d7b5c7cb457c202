//! The interpreter's own door to native code: `ctypes` calls any function of any library.

use super::NEEDS;
use fixtures::watch::process::MARKER;
use fixtures::watch::tcp::TCP4;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const CTYPES: Escape = Escape {
    techniques: &["PY-CTYPES"],
    references: &[
        "https://github.com/python/cpython/issues/115322",
        "https://bugs.python.org/issue43438",
    ],
    needs: NEEDS,
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::Memory,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "native-code/ctypes-call",
        summary: "Read a secret by system calls that ctypes makes",
        witnesses: &["landlock/read-file", "hook/import._ctypes"],
        python: carried!("ctypes_call.py", "acts/read.py"),
        ..CTYPES
    },
    Escape {
        id: "native-code/ctypes-call.write",
        summary: "Write outside by system calls that ctypes makes",
        witnesses: &["landlock/write-file", "hook/import._ctypes"],
        python: carried!("ctypes_call.py", "acts/write.py"),
        ..CTYPES
    },
    Escape {
        id: "native-code/ctypes-call.connect",
        summary: "Connect to a listener by system calls that ctypes makes",
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
            "hook/import._ctypes",
        ],
        python: carried!("ctypes_call.py", "acts/connect.py"),
        ..CTYPES
    },
    Escape {
        id: "native-code/ctypes-call.spawn",
        summary: "Start a process by system calls that ctypes makes",
        decoys: &[MARKER],
        stops: &[Layer::Seccomp, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/fork", "hook/import._ctypes"],
        python: carried!("ctypes_call.py", "acts/spawn.py"),
        ..CTYPES
    },
    Escape {
        id: "native-code/ctypes-call.open",
        summary: "Read a secret by the C library's open and read, called through ctypes",
        needs: &[],
        witnesses: &["landlock/read-file", "hook/import._ctypes"],
        python: Some(include_str!("ctypes_call.open.py")),
        ..CTYPES
    },
    Escape {
        id: "native-code/ctypes-call.interpreter",
        summary: "Read a secret by a C function found through the interpreter's own handle",
        techniques: &["PY-PYTHONAPI"],
        needs: &[],
        witnesses: &["landlock/read-file", "hook/import._ctypes"],
        python: Some(include_str!("ctypes_call.interpreter.py")),
        ..CTYPES
    },
    Escape {
        id: "native-code/ctypes-call.renamed",
        summary: "Read a secret through the extension beneath ctypes, imported under another name",
        techniques: &["PY-CTYPES", "PY-CFUNCPTR"],
        references: &[
            "https://docs.python.org/3/library/importlib.html#importlib.machinery.ExtensionFileLoader",
            "https://github.com/python/cpython/issues/115322",
        ],
        witnesses: &["landlock/read-file", "hook/import._ctypes"],
        python: carried!(
            "acts/page.py" or "acts/mach_o.py" and "acts/page.macos.py",
            "ctypes_call.renamed.py", "acts/read.py"
        ),
        ..CTYPES
    },
];
