//! Leave a namespace for a new one, which takes a capability but no user namespace.

use super::state::changed;
use fixtures::watch::state::NAMESPACE;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sched::{CloneFlags, unshare};
use std::io;

const LEAVE: Escape = Escape {
    techniques: &["KP-USERNS"],
    references: &["https://man7.org/linux/man-pages/man7/namespaces.7.html"],
    needs: &[Need::Capability(21, "CAP_SYS_ADMIN")],
    decoys: &[NAMESPACE],
    stops: &[Layer::Seccomp, Layer::Hygiene],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/namespace",
        summary: "Leave the host's mounts for an own tree of mounts",
        witnesses: &["hygiene/capabilities", "seccomp/unshare"],
        native: Some(|scene| leave(scene, CloneFlags::CLONE_NEWNS)),
        ..LEAVE
    },
    Escape {
        id: "kernel/namespace.network",
        summary: "Leave the host's network for an own one",
        witnesses: &["hygiene/capabilities", "seccomp/unshare"],
        native: Some(|scene| leave(scene, CloneFlags::CLONE_NEWNET)),
        ..LEAVE
    },
    Escape {
        id: "kernel/namespace.ipc",
        summary: "Leave the host's queues and shared memory for own ones",
        witnesses: &["hygiene/capabilities", "seccomp/unshare"],
        native: Some(|scene| leave(scene, CloneFlags::CLONE_NEWIPC)),
        ..LEAVE
    },
];

/// The namespaces are this process's own, so nobody else notices.
fn leave(scene: &Scene, namespaces: CloneFlags) -> io::Result<Vec<u8>> {
    changed(scene, || Ok(unshare(namespaces)?), || Ok(()))
}
