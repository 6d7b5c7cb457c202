//! A symbolic link in the run directory makes the deliverables look like a part of it.

use crate::fs_write::effect::done;
use harness::escape::{Escape, Layer};
use std::fs;
use std::os::unix::fs::symlink;

const PLANT: Escape = Escape {
    techniques: &["FW-EVIDENCE", "FW-CREATE"],
    references: &[
        "CWE-59",
        "https://www.aib.vote/en/news/claude-code-sandbox-escape-vulnerability-analysis",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "plant/symlink",
        summary: "Create a file among the deliverables behind an own symbolic link to them",
        witnesses: &["landlock/make-reg", "hook/open"],
        native: Some(|scene| {
            let link = scene.run().join("link");
            symlink(scene.clue("deliverables")?, &link)?;
            done(fs::write(link.join("planted"), b"planted"))
        }),
        python: Some(include_str!("symlink.py")),
        ..PLANT
    },
    Escape {
        id: "plant/symlink.dangling",
        summary: "Create a file among the deliverables by writing to an own link that names nothing yet",
        witnesses: &["landlock/make-reg", "hook/open"],
        native: Some(|scene| {
            let link = scene.run().join("link");
            symlink(scene.path("deliverables")?.join("planted"), &link)?;
            done(fs::write(link, b"planted"))
        }),
        python: Some(include_str!("symlink.dangling.py")),
        ..PLANT
    },
];
