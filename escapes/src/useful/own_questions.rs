//! What a program asks about its own processes, groups and clocks, and the signals that it sends itself
//! by every call there is for it.

use super::expect;
use crate::raw;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/own-questions",
        summary: "The program asks for its group, session, scheduling, locks and clocks",
        work: native!(questions),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/own-signals",
        summary: "The program signals itself by every call that can",
        work: native!(signals),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/own-messages",
        summary: "The program reads by every call that fills several buffers, and writes so",
        work: native!(messages),
        ..UsefulWork::BLANK
    },
];

fn questions(_scene: &Scene) -> io::Result<()> {
    let own = std::process::id() as usize;
    for process in [0, own] {
        let ask = |number, [second, third]: [usize; 2]| {
            raw::call(number, [process, second, third, 0, 0, 0])
        };
        expect(ask(libc::SYS_getpgid, [0, 0])? > 0, "there is no group")?;
        expect(ask(libc::SYS_getsid, [0, 0])? > 0, "there is no session")?;
        let mut room = [0_u64; 6];
        let place = room.as_mut_ptr() as usize;
        expect(ask(libc::SYS_sched_getscheduler, [0, 0])? == 0, "the policy is another one")?;
        ask(libc::SYS_sched_getparam, [place, 0])?;
        ask(libc::SYS_sched_getattr, [place, size_of_val(&room)])?;
        ask(libc::SYS_sched_rr_get_interval, [place, 0])?;
        ask(libc::SYS_get_robust_list, [place, place + size_of::<u64>()])?;
    }
    for clock in [libc::CLOCK_REALTIME, libc::CLOCK_MONOTONIC, libc::CLOCK_PROCESS_CPUTIME_ID] {
        let mut time = [0_u64; 2];
        let place = time.as_mut_ptr() as usize;
        // By number, since the C library asks the kernel's page and not the kernel.
        raw::call(libc::SYS_clock_getres, [clock as usize, place, 0, 0, 0, 0])?;
        raw::call(libc::SYS_clock_gettime, [clock as usize, place, 0, 0, 0, 0])?;
        expect(time != [0; 2], "the clock does not run")?;
    }
    Ok(())
}

/// `SIGURG` is ignored unless somebody asks for it.
fn signals(_scene: &Scene) -> io::Result<()> {
    let own = std::process::id() as usize;
    let signal = libc::SIGURG as usize;
    // `siginfo_t`: signal, error, code, padding; a code below zero is a program's own.
    let mut told = [0_i32; 32];
    told[0] = libc::SIGURG;
    told[2] = libc::SI_QUEUE;
    let told = told.as_ptr() as usize;
    let calls = [
        (libc::SYS_kill, [own, signal, 0, 0]),
        (libc::SYS_tkill, [own, signal, 0, 0]),
        (libc::SYS_tgkill, [own, own, signal, 0]),
        (libc::SYS_rt_sigqueueinfo, [own, signal, told, 0]),
        (libc::SYS_rt_tgsigqueueinfo, [own, own, signal, told]),
    ];
    for (number, [first, second, third, fourth]) in calls {
        raw::call(number, [first, second, third, fourth, 0, 0])?;
    }
    Ok(())
}

/// The flags of all calls are zero.
fn messages(scene: &Scene) -> io::Result<()> {
    let (mut near, far) = UnixStream::pair()?;
    near.write_all(b"abcd")?;
    let mut room = [0_u8; 2];
    // `struct iovec`, and `struct msghdr` of seven words with a length of `struct mmsghdr` behind it.
    let vector = [room.as_mut_ptr() as usize, room.len()];
    let vector = vector.as_ptr() as usize;
    let mut message = [0, 0, vector, 1, 0, 0, 0, 0];
    let (socket, place) = (far.as_raw_fd() as usize, message.as_mut_ptr() as usize);
    let read = raw::call(libc::SYS_recvmsg, [socket, place, 0, 0, 0, 0])?;
    expect(read == 2, "the first message is short")?;
    let read = raw::call(libc::SYS_recvmmsg, [socket, place, 1, 0, 0, 0])?;
    expect(read == 1, "there is no second message")?;
    let file = std::fs::File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(scene.run().join("vectors"))?;
    let file = file.as_raw_fd() as usize;
    let written = raw::call(libc::SYS_pwritev2, [file, vector, 1, 0, 0, 0])?;
    let read = raw::call(libc::SYS_preadv2, [file, vector, 1, 0, 0, 0])?;
    expect((written, read) == (2, 2), "the file is short")
}
