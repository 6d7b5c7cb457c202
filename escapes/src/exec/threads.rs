//! Start very many threads of the one process that a program is. It is allowed to have threads, so only a
//! bound on their number stops it.

use fixtures::watch::threads::THREADS;
use harness::escape::{Bar, Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;
use std::sync::{Arc, Barrier};
use std::thread;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "exec/threads",
    summary: "Have six hundred threads at once",
    techniques: &["EX-THREADS"],
    references: &[
        "https://docs.kernel.org/admin-guide/cgroup-v2.html",
        "https://attack.mitre.org/techniques/T1499/",
        "CWE-770",
    ],
    // Stated in docs/ladder.md.
    bar: Bar::Residue,
    decoys: &[THREADS],
    stops: &[Layer::Limits],
    witnesses: &[],
    // The bound of the user or of the control group in which this runs.
    absent: &[libc::ENOSYS, libc::EAGAIN],
    twin: Twin::Thread,
    native: Some(many),
    python: Some(include_str!("threads.py")),
    ..Escape::BLANK
}];

const MANY: usize = 600;

fn many(scene: &Scene) -> io::Result<Vec<u8>> {
    let end = Arc::new(Barrier::new(MANY + 1));
    let mut threads = Vec::new();
    for _ in 0..MANY {
        let end = Arc::clone(&end);
        let small = thread::Builder::new().stack_size(1 << 16);
        threads.push(small.spawn(move || end.wait())?);
    }
    let shown = scene.show("threads");
    end.wait();
    for thread in threads {
        let _leader = thread.join();
    }
    shown.map(|()| Vec::new())
}
