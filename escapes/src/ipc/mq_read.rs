//! Use the message queue of another program.

use fixtures::watch::mqueue::MQUEUE;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::mqueue::{MQ_OFlag, mq_open, mq_receive, mq_send};
use nix::sys::stat::Mode;
use std::io;

const QUEUE: Escape = Escape {
    techniques: &["IP-MQREAD"],
    references: &[
        "https://man7.org/linux/man-pages/man7/mq_overview.7.html",
        "https://github.com/landlock-lsm/linux/issues/29",
    ],
    decoys: &[MQUEUE],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/mq-read",
        summary: "Take a message from a POSIX queue outside",
        witnesses: &["landlock/read-file", "seccomp/mq_open", "seccomp/mq_timedreceive"],
        native: Some(receive),
        ..QUEUE
    },
    Escape {
        id: "ipc/mq-read.send",
        summary: "Put a message into a POSIX queue outside",
        witnesses: &["landlock/write-file", "seccomp/mq_open", "seccomp/mq_timedsend"],
        native: Some(send),
        ..QUEUE
    },
];

fn receive(scene: &Scene) -> io::Result<Vec<u8>> {
    let flags = MQ_OFlag::O_RDONLY | MQ_OFlag::O_NONBLOCK;
    let queue = mq_open(scene.clue("mqueue")?, flags, Mode::empty(), None)?;
    let mut message = vec![0; 8192];
    let length = mq_receive(&queue, &mut message, &mut 0)?;
    message.truncate(length);
    Ok(message)
}

fn send(scene: &Scene) -> io::Result<Vec<u8>> {
    let flags = MQ_OFlag::O_WRONLY | MQ_OFlag::O_NONBLOCK;
    let queue = mq_open(scene.clue("mqueue")?, flags, Mode::empty(), None)?;
    mq_send(&queue, scene.nonce().as_bytes(), 0)?;
    Ok(Vec::new())
}
