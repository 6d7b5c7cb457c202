//! Machine code over a function of the C library: `/proc/self/mem` writes where the page tables say
//! read-only, so pure Python patches code and calls it by its ordinary name.

use super::NEEDS;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "native-code/self-memory",
    summary: "Read a secret by machine code that pure Python writes over a function of the C library",
    techniques: &["FW-PROCMEMSELF", "PY-PYTHONAPI"],
    references: &[
        "https://man7.org/linux/man-pages/man5/proc_pid_mem.5.html",
        "https://lwn.net/Articles/976836/",
        "CWE-123",
    ],
    needs: NEEDS,
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
    witnesses: &["landlock/read-file", "landlock/write-file", "hook/open"],
    twin: Twin::Memory,
    python: carried!("self_memory.py", "acts/read.py"),
    ..Escape::BLANK
}];
