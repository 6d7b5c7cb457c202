//! A hook without room: near the limit of recursion it cannot call what it needs, and must not permit
//! because it could not decide.

use harness::escape::{Escape, Layer};
use harness::twin::Twin;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "hook/recursion",
    summary: "Read a secret at a depth where the hook has no room to decide",
    techniques: &["PY-THREADHOOK"],
    references: &["https://github.com/python/cpython/issues/81686", "CWE-636"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &["landlock/read-file", "hook/open"],
    twin: Twin::OwnFile,
    python: Some(include_str!("recursion.py")),
    ..Escape::BLANK
}];
