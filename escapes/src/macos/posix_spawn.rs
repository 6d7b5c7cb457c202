//! Start a second process, and become another program in place.

use crate::fs_write::effect::done;
use crate::raw_macos::{fork_and_wait_outside, helper};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStringExt;

const SPAWN: Escape = Escape {
    techniques: &["MC-POSIXSPAWN"],
    references: &["https://github.com/unslothai/unsloth/pull/10526"],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/posix-spawn",
        summary: "Start a system program, which stays when this one has ended",
        native: Some(|scene| {
            // The shell goes on in the background under the nonce, by which the watcher finds it.
            let script = format!("(sleep 20; : {}) & :", scene.nonce());
            done(helper("/bin/bash", ["-c", &script]))
        }),
        ..SPAWN
    },
    Escape {
        id: "macos/posix-spawn.fork",
        summary: "Fork a second process, which stays when this one has ended",
        techniques: &["MC-POSIXSPAWN", "EX-FORK"],
        native: Some(|_scene| done(fork_and_wait_outside())),
        ..SPAWN
    },
    Escape {
        id: "macos/posix-spawn.in-place",
        summary: "Become a system program that reads a secret",
        techniques: &["MC-POSIXSPAWN", "EX-EXECBIN"],
        native: Some(become_cat),
        ..SPAWN
    },
];

fn become_cat(scene: &Scene) -> io::Result<Vec<u8>> {
    let secret = CString::new(scene.path("secret")?.into_os_string().into_vec())?;
    match nix::unistd::execv(c"/bin/cat", &[c"/bin/cat", secret.as_c_str()]) {
        Ok(never) => match never {},
        Err(errno) => Err(errno.into()),
    }
}
