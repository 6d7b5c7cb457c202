//! Become another user or a member of other groups: what belongs to them belongs to the program.

use super::state::changed;
use fixtures::watch::state::IDENTITY;
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use nix::unistd::{Gid, getgroups, geteuid, getegid, Uid, setegid, seteuid, setgroups};

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
        witnesses: &["seccomp/setresuid", "hygiene/capabilities"],
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
        witnesses: &["seccomp/setresgid", "hygiene/capabilities"],
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
        witnesses: &["seccomp/setgroups", "hygiene/capabilities"],
        native: Some(|scene| {
            let before = getgroups()?;
            let more: Vec<Gid> =
                before.iter().copied().chain([Gid::from_raw(NOBODY)]).collect();
            changed(scene, || Ok(setgroups(&more)?), || Ok(setgroups(&before)?))
        }),
        python: Some(include_str!("identity.groups.py")),
        ..CHANGE
    },
];

/// A user and group of no power.
const NOBODY: u32 = 65534;
