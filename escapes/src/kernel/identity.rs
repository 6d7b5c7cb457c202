//! Become another user or a member of other groups: what belongs to them belongs to the program.

use super::state::changed;
use crate::raw;
use fixtures::watch::state::IDENTITY;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::unistd::{Gid, Uid, getegid, geteuid, getgroups, setegid, seteuid, setgroups};
use std::io;
use std::sync::mpsc::channel;
use std::thread;

const CHANGE: Escape = Escape {
    techniques: &["KP-SETUIDCALL"],
    references: &[
        "https://man7.org/linux/man-pages/man7/credentials.7.html",
        "https://github.com/firedancer-io/firedancer/issues/9185",
    ],
    decoys: &[IDENTITY],
    stops: &[Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/identity",
        summary: "Become another user, which raises no audit event",
        needs: &[Need::Capability(7, "CAP_SETUID")],
        witnesses: &["hygiene/capabilities", "seccomp/setresuid"],
        native: Some(|scene| {
            let before = geteuid();
            changed(scene, || Ok(seteuid(Uid::from_raw(NOBODY))?), || Ok(seteuid(before)?))
        }),
        python: Some(include_str!("identity.py")),
        ..CHANGE
    },
    Escape {
        id: "kernel/identity.group",
        summary: "Take another group",
        needs: &[Need::Capability(6, "CAP_SETGID")],
        witnesses: &["hygiene/capabilities", "seccomp/setresgid"],
        native: Some(|scene| {
            let before = getegid();
            changed(scene, || Ok(setegid(Gid::from_raw(NOBODY))?), || Ok(setegid(before)?))
        }),
        ..CHANGE
    },
    Escape {
        id: "kernel/identity.groups",
        summary: "Become a member of another group",
        needs: &[Need::Capability(6, "CAP_SETGID")],
        witnesses: &["hygiene/capabilities", "seccomp/setgroups"],
        native: Some(|scene| {
            let before = getgroups()?;
            let more: Vec<Gid> = before.iter().copied().chain([Gid::from_raw(NOBODY)]).collect();
            changed(scene, || Ok(setgroups(&more)?), || Ok(setgroups(&before)?))
        }),
        python: Some(include_str!("identity.groups.py")),
        ..CHANGE
    },
    Escape {
        id: "kernel/identity.real",
        summary: "Become another user by the call that sets two identities",
        needs: &[Need::Capability(7, "CAP_SETUID")],
        witnesses: &["hygiene/capabilities", "seccomp/setreuid"],
        native: Some(|scene| {
            let before = geteuid().as_raw() as usize;
            let user = |user| set(libc::SYS_setreuid, [SAME, user]);
            changed(scene, || user(NOBODY as usize), || user(before))
        }),
        ..CHANGE
    },
    Escape {
        id: "kernel/identity.real-group",
        summary: "Take another group by the call that sets two identities",
        needs: &[Need::Capability(6, "CAP_SETGID")],
        witnesses: &["hygiene/capabilities", "seccomp/setregid"],
        native: Some(|scene| {
            let before = getegid().as_raw() as usize;
            let group = |group| set(libc::SYS_setregid, [SAME, group]);
            changed(scene, || group(NOBODY as usize), || group(before))
        }),
        ..CHANGE
    },
    Escape {
        id: "kernel/identity.files",
        summary: "Become another user for files alone",
        needs: &[Need::Capability(7, "CAP_SETUID")],
        witnesses: &["hygiene/capabilities", "seccomp/setfsuid"],
        native: Some(|scene| {
            let before = geteuid().as_raw() as usize;
            let user = |user| for_files(libc::SYS_setfsuid, user);
            changed(scene, || user(NOBODY as usize), || user(before))
        }),
        ..CHANGE
    },
    Escape {
        id: "kernel/identity.files-group",
        summary: "Take another group for files alone",
        needs: &[Need::Capability(6, "CAP_SETGID")],
        witnesses: &["hygiene/capabilities", "seccomp/setfsgid"],
        native: Some(|scene| {
            let before = getegid().as_raw() as usize;
            let group = |group| for_files(libc::SYS_setfsgid, group);
            changed(scene, || group(NOBODY as usize), || group(before))
        }),
        ..CHANGE
    },
    Escape {
        id: "kernel/identity.all",
        summary: "Become another user for good, in one thread",
        references: &["https://man7.org/linux/man-pages/man2/setuid.2.html"],
        needs: &[Need::Capability(7, "CAP_SETUID")],
        witnesses: &["hygiene/capabilities", "seccomp/setuid"],
        native: Some(|scene| for_good(scene, libc::SYS_setuid)),
        ..CHANGE
    },
    Escape {
        id: "kernel/identity.all-group",
        summary: "Take another group for good, in one thread",
        references: &["https://man7.org/linux/man-pages/man2/setgid.2.html"],
        needs: &[Need::Capability(6, "CAP_SETGID")],
        witnesses: &["hygiene/capabilities", "seccomp/setgid"],
        native: Some(|scene| for_good(scene, libc::SYS_setgid)),
        ..CHANGE
    },
];

/// Takes an identity that cannot be given back, in a thread that ends with it: to the kernel each thread has its own.
fn for_good(scene: &Scene, number: i64) -> io::Result<Vec<u8>> {
    let (leave, left) = channel::<()>();
    let (told, answer) = channel();
    scene.show("baseline")?;
    thread::scope(|threads| {
        threads.spawn(move || {
            let _the_other_end_waits = told.send(set(number, [NOBODY as usize, 0]));
            let _nobody_sends = left.recv();
        });
        let answer = answer.recv().map_err(io::Error::other).flatten();
        let shown = answer.and_then(|()| scene.show("check"));
        drop(leave);
        shown.map(|()| Vec::new())
    })
}

/// The value of an identity that stays, setreuid(2).
const SAME: usize = u32::MAX as usize;

/// The calls of this thread alone: those of the C library set the identity of every thread.
fn set(number: i64, [first, second]: [usize; 2]) -> io::Result<()> {
    raw::call(number, [first, second, 0, 0, 0, 0]).map(|_answer| ())
}

/// A call that knows no failure: it answers with the identity that was there, so it is asked again, for
/// one that nobody has.
fn for_files(number: i64, identity: usize) -> io::Result<()> {
    set(number, [identity, 0])?;
    let now = raw::call(number, [SAME, 0, 0, 0, 0, 0])?;
    let changed = usize::try_from(now) == Ok(identity);
    if changed { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::EPERM)) }
}

/// A user and group of no power.
const NOBODY: u32 = 65534;
