//! An act in a thread of its own. A layer that was put on one thread, as Landlock is without
//! synchronisation, must have been put on before there was another.

use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::io;
use std::thread;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "layer/thread",
    summary: "Read a secret in a second thread",
    techniques: &["SC-THREADTSYNC", "SC-WRONGTHREAD"],
    references: &[
        "https://github.com/landlock-lsm/rust-landlock/issues/37",
        "https://github.com/landlock-lsm/linux/issues/2",
        "https://github.com/smart-mcp-proxy/mcpproxy-go/pull/932",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &["landlock/read-file", "hook/open"],
    twin: Twin::Thread,
    native: Some(|scene| {
        let path = scene.path("secret")?;
        let reader = thread::Builder::new().spawn(|| std::fs::read(path))?;
        reader.join().map_err(|_panic| io::Error::other("the reader panicked"))?
    }),
    python: Some(include_str!("thread.py")),
    ..Escape::BLANK
}];
