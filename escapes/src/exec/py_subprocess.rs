//! Start a program with what Python offers for it.

use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;

const PYTHON: Escape = Escape {
    techniques: &["EX-PYSUBPROC"],
    references: &[
        "https://docs.python.org/3/library/audit_events.html",
        "https://github.com/ogx-ai/llama-stack-apps/issues/223",
    ],
    needs: &[Need::File("/bin/sh")],
    decoys: &[MARKER],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::Thread,
    ..Escape::BLANK
};

/// What system(3) and spawnv answer when nothing was started.
const STATUS_ONLY: Option<&str> = Some("a failed start is told by a status, not by an error");

/// What holds a shell that is started by the module beneath subprocess.
const BY_SUBPROCESS: &[&str] = &[
    "landlock/execute",
    "landlock/read-file",
    "seccomp/clone",
    "seccomp/execve",
    "hook/import._posixsubprocess",
];

/// What holds one that is started by a function of os.
const BY_OS: &[&str] =
    &["landlock/execute", "landlock/read-file", "seccomp/clone", "seccomp/execve", "hook/os.*"];

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/py-subprocess",
        summary: "Start the system shell by subprocess",
        witnesses: BY_SUBPROCESS,
        python: Some(concat!(include_str!("marker.py"), include_str!("py_subprocess.py"))),
        ..PYTHON
    },
    Escape {
        id: "exec/py-subprocess.system",
        summary: "Start the system shell by os.system",
        witnesses: BY_OS,
        silent: STATUS_ONLY,
        python: Some(concat!(include_str!("marker.py"), include_str!("py_subprocess.system.py"))),
        ..PYTHON
    },
    Escape {
        id: "exec/py-subprocess.popen",
        summary: "Start the system shell by os.popen",
        witnesses: BY_SUBPROCESS,
        python: Some(concat!(include_str!("marker.py"), include_str!("py_subprocess.popen.py"))),
        ..PYTHON
    },
    Escape {
        id: "exec/py-subprocess.spawnv",
        summary: "Start the system shell by os.spawnv",
        witnesses: BY_OS,
        silent: STATUS_ONLY,
        python: Some(concat!(include_str!("marker.py"), include_str!("py_subprocess.spawnv.py"))),
        ..PYTHON
    },
    Escape {
        id: "exec/py-subprocess.terminal",
        summary: "Start the system shell on a terminal of its own by pty.spawn",
        witnesses: &[
            "landlock/execute",
            "landlock/ioctl-dev",
            "landlock/read-file",
            "landlock/write-file",
            "seccomp/clone",
            "seccomp/execve",
            "seccomp/ioctl",
            "seccomp/setsid",
            "hook/os.*",
        ],
        silent: Some("a refused terminal is told without an errno"),
        python: Some(concat!(include_str!("marker.py"), include_str!("py_subprocess.terminal.py"))),
        ..PYTHON
    },
    Escape {
        id: "exec/py-subprocess.asyncio",
        summary: "Start the system shell by asyncio",
        witnesses: BY_SUBPROCESS,
        python: Some(concat!(include_str!("marker.py"), include_str!("py_subprocess.asyncio.py"))),
        ..PYTHON
    },
    Escape {
        id: "exec/py-subprocess.multiprocessing",
        summary: "Start a second interpreter process by multiprocessing",
        stops: &[Layer::Seccomp, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/clone", "hook/import._ctypes", "hook/os.*"],
        python: Some(concat!(
            include_str!("marker.py"),
            include_str!("py_subprocess.multiprocessing.py")
        )),
        ..PYTHON
    },
];
