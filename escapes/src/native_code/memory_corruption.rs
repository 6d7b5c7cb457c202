//! Machine code from nothing but Python: a known defect of the interpreter (a buffered reader frees a
//! buffer at which somebody still looks) gives all memory to read and write, and a forged slot of a
//! type calls the code. Nothing native is imported, so a hook sees a map being made and that is all.

use super::NEEDS;
use fixtures::watch::process::MARKER;
use fixtures::watch::tcp::TCP4;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const CORRUPTION: Escape = Escape {
    techniques: &["PY-BYTECODE", "PY-PYTHONAPI"],
    references: &[
        "https://cyberstan.co.uk/python-uaf-1/",
        "https://bugs.python.org/issue43438",
        "CWE-416",
    ],
    needs: NEEDS,
    stops: &[
        Layer::Landlock,
        Layer::MountNamespace,
        Layer::Seatbelt,
        // There the code lies in a file that is signed, and the hook sees the kernel being told so.
        #[cfg(target_os = "macos")]
        Layer::Hook,
    ],
    twin: Twin::Memory,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "native-code/memory-corruption",
        summary: "Read a secret by machine code that pure Python reaches through a freed buffer",
        witnesses: &["landlock/read-file"],
        python: carried!(
            "acts/page.py" or "acts/mach_o.py" and "acts/page.macos.py",
            "memory_corruption.py", "acts/read.py"
        ),
        ..CORRUPTION
    },
    Escape {
        id: "native-code/memory-corruption.write",
        summary: "Write outside by machine code that pure Python reaches through a freed buffer",
        witnesses: &["landlock/write-file"],
        python: carried!(
            "acts/page.py" or "acts/mach_o.py" and "acts/page.macos.py",
            "memory_corruption.py", "acts/write.py"
        ),
        ..CORRUPTION
    },
    Escape {
        id: "native-code/memory-corruption.connect",
        summary: "Connect to a listener by machine code that pure Python reaches through a freed buffer",
        decoys: &[TCP4],
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::OtherNamespace,
            Layer::Seatbelt,
            #[cfg(target_os = "macos")]
            Layer::Hook,
        ],
        witnesses: &["landlock/connect-tcp", "seccomp/connect", "seccomp/socket"],
        python: carried!(
            "acts/page.py" or "acts/mach_o.py" and "acts/page.macos.py",
            "memory_corruption.py", "acts/connect.py"
        ),
        ..CORRUPTION
    },
    Escape {
        id: "native-code/memory-corruption.spawn",
        summary: "Start a process by machine code that pure Python reaches through a freed buffer",
        decoys: &[MARKER],
        stops: &[
            Layer::Seccomp,
            Layer::Seatbelt,
            #[cfg(target_os = "macos")]
            Layer::Hook,
        ],
        witnesses: &["seccomp/fork"],
        python: carried!(
            "acts/page.py" or "acts/mach_o.py" and "acts/page.macos.py",
            "memory_corruption.py", "acts/spawn.py"
        ),
        ..CORRUPTION
    },
];
