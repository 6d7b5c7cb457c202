//! A repository that is outside the sandbox runs what stands in it: whoever uses git there next runs
//! the planted program with their own rights.

use crate::fs_write::effect::done;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;

const PLANT: Escape = Escape {
    techniques: &["HT-GITCONFIG", "FW-EVIDENCE"],
    references: &[
        "https://github.com/openai/codex/issues/37081",
        "https://github.com/HackTricks-wiki/hacktricks/pull/2436",
        "https://git-scm.com/docs/githooks",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "plant/git-hook",
        summary: "Leave an executable hook in a repository outside",
        witnesses: &["landlock/make-reg", "hook/open"],
        native: Some(hook),
        python: Some(include_str!("git_hook.py")),
        ..PLANT
    },
    Escape {
        id: "plant/git-hook.monitor",
        summary: "Name a program in the settings of a repository outside that git status starts",
        witnesses: &["landlock/write-file", "hook/open"],
        references: &[
            "https://git-scm.com/docs/git-config#Documentation/git-config.txt-corefsmonitor",
        ],
        native: Some(|scene| {
            let settings = scene.path("repo")?.join(".git/config");
            let mut settings = OpenOptions::new().append(true).open(settings)?;
            done(settings.write_all(b"[core]\n\tfsmonitor = true\n"))
        }),
        python: Some(include_str!("git_hook.monitor.py")),
        ..PLANT
    },
];

/// The planted program does nothing.
fn hook(scene: &Scene) -> io::Result<Vec<u8>> {
    let hook = scene.path("repo")?.join(".git/hooks/post-checkout");
    let mut hook = OpenOptions::new().write(true).create_new(true).mode(0o755).open(hook)?;
    done(hook.write_all(b"#!/bin/sh\nexit 0\n"))
}
