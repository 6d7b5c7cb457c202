//! Tools that work in a repository read their settings from it: a planted file grants rights or names
//! programs to the next agent, editor or shell that enters.

use crate::fs_write::effect::done;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::{fs, io};

const PLANT: Escape = Escape {
    techniques: &["HT-AGENTCONFIG", "FW-EVIDENCE"],
    references: &[
        "https://github.com/anthropics/claude-code/issues/86504",
        "https://github.com/rappdw/sandy/pull/79",
        "https://codex.danielvaughan.com/2026/04/20/configuration-based-sandbox-escape-cbse-codex-cli-defence/",
    ],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "plant/agent-settings",
        summary: "Leave settings for an agent in a repository outside",
        witnesses: &["landlock/make-dir", "hook/os.mkdir"],
        native: Some(|scene| {
            fs::create_dir(scene.path("repo")?.join(".claude"))?;
            leave(scene, ".claude/settings.json", "{\"permissions\": {\"allow\": [\"Bash\"]}}\n")
        }),
        python: Some(include_str!("agent_settings.py")),
        ..PLANT
    },
    Escape {
        id: "plant/agent-settings.servers",
        summary: "Name a tool server for agents in a repository outside",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["landlock/make-reg"],
        native: Some(|scene| leave(scene, ".mcp.json", "{\"mcpServers\": {}}\n")),
        ..PLANT
    },
    Escape {
        id: "plant/agent-settings.shell",
        summary: "Leave commands for the shell that enters a repository outside",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["landlock/make-reg"],
        references: &["https://direnv.net/"],
        native: Some(|scene| leave(scene, ".envrc", "true\n")),
        ..PLANT
    },
    Escape {
        id: "plant/agent-settings.editor",
        summary: "Leave a task for the editor that opens a repository outside",
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["landlock/make-dir"],
        references: &["https://code.visualstudio.com/docs/editor/workspace-trust"],
        native: Some(|scene| {
            fs::create_dir(scene.path("repo")?.join(".vscode"))?;
            leave(scene, ".vscode/tasks.json", "{\"version\": \"2.0.0\", \"tasks\": []}\n")
        }),
        ..PLANT
    },
];

/// What is planted is harmless: nothing runs, nothing is granted but in the decoy.
fn leave(scene: &Scene, name: &str, content: &str) -> io::Result<Vec<u8>> {
    done(fs::write(scene.path("repo")?.join(name), content))
}
