//! Choose another root directory: every absolute path means something else then, and one who keeps a
//! way to the old root walks out of any new one.

use super::state::changed;
use fixtures::watch::state::ROOT;
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use nix::unistd::chroot;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "kernel/chroot",
    summary: "Make the directory outside the root of the program, and leave it again by the way back",
    techniques: &["KP-CHROOT"],
    references: &["https://man7.org/linux/man-pages/man2/chroot.2.html", "CWE-243"],
    needs: &[Need::Capability(18, "CAP_SYS_CHROOT")],
    decoys: &[ROOT],
    stops: &[Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
    witnesses: &["hygiene/capabilities", "seccomp/chroot"],
    twin: Twin::OwnTree,
    native: Some(|scene| {
        let outside = scene.path("outside")?;
        // The working directory stays where it is, outside the new root, so its parents are real.
        let back = "../".repeat(40);
        changed(scene, || Ok(chroot(&outside)?), || Ok(chroot(back.as_str())?))
    }),
    python: Some(include_str!("chroot.py")),
    ..Escape::BLANK
}];
