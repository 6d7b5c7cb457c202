//! Take a share of what all processes of a user have in common. With the whole of it nobody of that user
//! would get any more; the share is small and is given back.

use super::share::Count;
use crate::raw;
use fixtures::watch::counted::{UNDERWAY, WATCHES};
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Bar, Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use std::fs::{self, File};
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

const SHARE: Escape = Escape {
    techniques: &["KP-KEYRINGQUOTA"],
    references: &["https://man7.org/linux/man-pages/man7/inotify.7.html", "CWE-770"],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/user-quota",
        summary: "Hold watchers of files, of which a user has 128",
        witnesses: &["seccomp/inotify_init1"],
        native: Some(|scene| watchers(scene, libc::SYS_inotify_init1)),
        ..SHARE
    },
    #[cfg(target_arch = "x86_64")]
    Escape {
        id: "kernel/user-quota.old",
        summary: "Hold watchers of files by the call that came first",
        witnesses: &["seccomp/inotify_init"],
        native: Some(|scene| watchers(scene, libc::SYS_inotify_init)),
        ..SHARE
    },
    Escape {
        id: "kernel/user-quota.signals",
        summary: "Take the signals that may wait for all processes of a user, by timers",
        references: &["https://man7.org/linux/man-pages/man2/timer_create.2.html", "CWE-770"],
        decoys: &[&QUEUE],
        stops: &[Layer::Hygiene],
        witnesses: &["hygiene/pending-signals"],
        silent: Some("a bound lets a program have some, and the rest is for the others"),
        native: Some(timers),
        ..SHARE
    },
    Escape {
        id: "kernel/user-quota.descriptors",
        summary: "Take the descriptors that may be under way in messages for all processes of a user",
        references: &["https://man7.org/linux/man-pages/man7/unix.7.html", "CWE-770"],
        decoys: &[UNDERWAY],
        witnesses: &["seccomp/sendmsg"],
        native: Some(underway),
        python: Some(include_str!("user_quota.descriptors.py")),
        ..SHARE
    },
    Escape {
        id: "kernel/user-quota.watches",
        summary: "Take watches of epoll, of which all processes of a user share some millions",
        references: &["https://man7.org/linux/man-pages/man7/epoll.7.html", "CWE-770"],
        // Stated in docs/ladder.md.
        bar: Bar::Residue,
        decoys: &[WATCHES],
        stops: &[],
        witnesses: &[],
        native: Some(watches),
        python: Some(include_str!("user_quota.watches.py")),
        ..SHARE
    },
    Escape {
        id: "kernel/user-quota.watches-few",
        summary: "Take as many with a hundred descriptors, under each number of which a file counts anew",
        references: &["https://man7.org/linux/man-pages/man7/epoll.7.html", "CWE-770"],
        // Stated in docs/ladder.md: a bound on descriptors bounds watches by its third power only.
        bar: Bar::Residue,
        decoys: &[WATCHES],
        stops: &[],
        witnesses: &[],
        native: Some(watches_of_few),
        python: Some(include_str!("user_quota.watches_few.py")),
        ..SHARE
    },
];

/// Sends descriptors to itself and receives none of them. They are closed with the sockets.
fn underway(scene: &Scene) -> io::Result<Vec<u8>> {
    let file = File::open(scene.run().join("neighbour"))?;
    let mut pairs = Vec::new();
    for _ in 0..8 {
        let (sender, receiver) = UnixStream::pair()?;
        let descriptors = [file.as_fd(); 64];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(64))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !control.push(SendAncillaryMessage::ScmRights(&descriptors)) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        sendmsg(&sender, &[IoSlice::new(b"x")], &mut control, SendFlags::NOSIGNAL)?;
        pairs.push((sender, receiver));
    }
    scene.show("underway").map(|()| Vec::new())
}

/// Lets each of many epolls watch each of many descriptors of one pipe.
fn watches(scene: &Scene) -> io::Result<Vec<u8>> {
    let (reader, _writer) = io::pipe()?;
    let ends = (0..512).map(|_| reader.try_clone()).collect::<io::Result<Vec<_>>>()?;
    let mut epolls = Vec::new();
    for _ in 0..64 {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        for end in &ends {
            epoll::add(&epoll, end, EventData::new_u64(0), EventFlags::IN)?;
        }
        epolls.push(epoll);
    }
    scene.show("watches").map(|()| Vec::new())
}

/// An epoll knows a file under each number that it was added by, until nobody has the file open any more
/// (`struct epoll_filefd` in `fs/eventpoll.c`). The numbers are given back and used for the next file.
fn watches_of_few(scene: &Scene) -> io::Result<Vec<u8>> {
    let epolls = (0..32).map(|_| epoll::create(CreateFlags::CLOEXEC));
    let epolls = epolls.collect::<Result<Vec<_>, _>>()?;
    let mut files = Vec::new();
    for _ in 0..32 {
        let (file, _writer) = io::pipe()?;
        let names = (0..32).map(|_| file.try_clone()).collect::<io::Result<Vec<_>>>()?;
        for epoll in &epolls {
            for name in &names {
                epoll::add(epoll, name, EventData::new_u64(0), EventFlags::IN)?;
            }
        }
        files.push(file);
    }
    scene.show("watches").map(|()| Vec::new())
}

/// The timers that this takes. A machine with a gigabyte of memory has about four thousand for a user.
const MANY: usize = 3000;
/// The timers of which the loss is felt.
const FELT: u64 = 2000;

/// Takes as many as it gets.
fn timers(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut taken = Vec::new();
    for _ in 0..MANY {
        let mut timer = 0_i32;
        let place = &raw mut timer as usize;
        let clock = libc::CLOCK_MONOTONIC as usize;
        match raw::call(libc::SYS_timer_create, [clock, 0, place, 0, 0, 0]) {
            Ok(_made) => taken.push(timer),
            Err(error) if error.raw_os_error() == Some(libc::EAGAIN) => break,
            Err(error) => return Err(error),
        }
    }
    let shown = scene.show(CLAIM);
    for timer in taken {
        raw::call(libc::SYS_timer_delete, [timer as usize, 0, 0, 0, 0, 0])?;
    }
    shown.map(|()| Vec::new())
}

const CLAIM: &str = "timers";

/// Signals and timers that wait for the user whom the program shares with the watcher.
const QUEUE: Count =
    Count { claim: CLAIM, what: "signals wait for this user", now: waiting, felt: FELT };

/// `SigQ` of `proc_pid_status(5)`: those that wait, a slash, the limit.
fn waiting() -> io::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let queue = status.lines().find_map(|line| line.strip_prefix("SigQ:")?.split_once('/'));
    let (number, _limit) = queue.ok_or(io::ErrorKind::InvalidData)?;
    number.trim().parse().map_err(io::Error::other)
}

fn watchers(scene: &Scene, number: i64) -> io::Result<Vec<u8>> {
    let share: io::Result<Vec<OwnedFd>> = (0..4).map(|_| raw::descriptor(number, [0; 6])).collect();
    let _share = share?;
    scene.show("descriptor anon_inode:inotify")?;
    Ok(Vec::new())
}
