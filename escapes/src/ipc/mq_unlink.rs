//! Change which message queues there are: their names are a file system that no path leads to.

use fixtures::watch::mqueue::MQUEUE;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::mqueue::{MQ_OFlag, MqAttr, mq_open, mq_unlink};
use nix::sys::stat::Mode;
use std::io;

const QUEUES: Escape = Escape {
    techniques: &["IP-MQUNLINK"],
    references: &[
        "https://man7.org/linux/man-pages/man7/mq_overview.7.html",
        "https://github.com/landlock-lsm/linux/issues/29",
    ],
    decoys: &[MQUEUE],
    twin: Twin::OwnTree,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/mq-unlink",
        summary: "Remove a POSIX queue of another program",
        stops: &[Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["seccomp/mq_unlink"],
        native: Some(|scene| {
            mq_unlink(scene.clue("mqueue")?)?;
            Ok(Vec::new())
        }),
        ..QUEUES
    },
    Escape {
        id: "ipc/mq-unlink.leave",
        summary: "Leave a POSIX queue in the kernel",
        // Landlock refuses to open the queue, but it has been made by then.
        stops: &[Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["seccomp/mq_open"],
        native: Some(leave),
        ..QUEUES
    },
];

fn leave(scene: &Scene) -> io::Result<Vec<u8>> {
    let flags = MQ_OFlag::O_RDONLY | MQ_OFlag::O_CREAT | MQ_OFlag::O_EXCL;
    let (mode, limits) = (Mode::S_IRUSR | Mode::S_IWUSR, MqAttr::new(0, 1, 16, 0));
    mq_open(scene.clue("mqueue-new")?, flags, mode, Some(&limits))?;
    Ok(Vec::new())
}
