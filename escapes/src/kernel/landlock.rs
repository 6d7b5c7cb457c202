//! Build one more sandbox inside: fifteen of them leave no room for the launcher of the next program.

use super::hold::hold;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "kernel/landlock",
    summary: "Hold a ruleset of Landlock, ready to be stacked upon the launcher's",
    techniques: &["KP-RESTACK"],
    references: &["https://man.archlinux.org/man/landlock.7.en.raw"],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp],
    witnesses: &["seccomp/landlock_create_ruleset"],
    absent: &[libc::ENOSYS, libc::EOPNOTSUPP],
    twin: Twin::OwnFile,
    native: Some(|scene| {
        // `struct landlock_ruleset_attr` of the first version: the right to execute.
        let attributes = 1_u64;
        let place = &raw const attributes as usize;
        let arguments = [place, size_of_val(&attributes), 0, 0, 0, 0];
        hold(scene, libc::SYS_landlock_create_ruleset, arguments, "landlock-ruleset")
    }),
    ..Escape::BLANK
}];
