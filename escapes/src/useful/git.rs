//! git without a second process: in a repository whose `.git` is a file, as in a worktree. What needs a
//! child of its own must fail at once and leave the repository as it was.

use super::programs::{holds, said, words};
use harness::useful::{Program, UsefulWork, Work};
use reports::record::Finish;
use std::fs;
use std::io;
use std::path::Path;

/// git reads the configuration of the host and gives up where it is there and may not be read.
const CONFIGURATION: &[&str] = &["/etc/gitconfig", "/usr/local/etc/gitconfig"];

/// What git ends with after the message that it cannot fork.
const CANNOT_FORK: &[Finish] = &[Finish::Exited(128)];

const fn git(arguments: &'static [&'static str], refused: &'static [Finish]) -> Work {
    let reads = CONFIGURATION;
    Work::Program(Program {
        path: "git",
        arguments,
        prepare: Some(repository),
        reads,
        refused,
        ..Program::BLANK
    })
}

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/git-init",
        summary: "git makes a repository",
        work: git(&["init", "-q", "{run}/new"], &[]),
        check: Some(|run, _stdout| match fs::read_to_string(run.join("new/.git/HEAD")) {
            Ok(head) if head.starts_with("ref: refs/heads/") => Ok(()),
            other => Err(format!("new/.git/HEAD: {other:?}")),
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/git-log",
        summary: "git reads the history of a repository",
        work: git(&["-C", "{run}/tree", "log", "--format=%H %s by %an"], &[]),
        check: Some(|_run, stdout| said(stdout, &format!("{COMMIT} subject by A\n"))),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/git-add",
        summary: "git takes a file into the index, under the lock of a worktree's index",
        work: git(&["-C", "{run}/tree", "add", "words"], &[]),
        check: Some(|run, _stdout| {
            let found = ["store/index", WORDS_BLOB].map(|name| run.join(name).exists());
            match (found, run.join("store/index.lock").exists()) {
                ([true, true], false) => Ok(()),
                other => Err(format!("index and object, lock: {other:?}")),
            }
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/git-commit",
        summary: "git commits, though the upkeep after it is a second process",
        work: git(
            &[
                "-C",
                "{run}/tree",
                "-c",
                "user.name=A",
                "-c",
                "user.email=a@b",
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                "second",
            ],
            &[],
        ),
        check: Some(|run, _stdout| match fs::read_to_string(run.join(MAIN)) {
            Ok(head) if head.trim_end() != COMMIT && head.len() == COMMIT.len() + 1 => Ok(()),
            other => Err(format!("{MAIN}: {other:?}")),
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/git-fetch",
        summary: "git fetches, or says at once that it may not start a second process",
        work: git(&["-C", "{run}/tree", "fetch", "-q", "."], CANNOT_FORK),
        check: Some(|run, _stdout| {
            // git empties this file when a fetch begins.
            fs::metadata(run.join("store/FETCH_HEAD"))
                .map_err(|error| format!("store/FETCH_HEAD: {error}"))?;
            holds(run, MAIN, &format!("{COMMIT}\n"))?;
            let locked = ["shallow.lock", "packed-refs.lock", "refs/heads/main.lock"];
            match locked.iter().find(|name| run.join("store").join(name).exists()) {
                None => Ok(()),
                Some(name) => Err(format!("store/{name} was left")),
            }
            .and_then(|()| holds(run, "tree/words", "pear\napple\nfig\n"))
        }),
        ..UsefulWork::BLANK
    },
];

const MAIN: &str = "store/refs/heads/main";

/// The digest of the commit, by which git names it.
const COMMIT: &str = "5277790334406a093ee1a128d71d7b1b4a3148b1";
const COMMIT_TEXT: &str = "commit 122\0tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
author A <a@b> 1000000000 +0000
committer A <a@b> 1000000000 +0000

subject
";
/// The empty tree, which git knows without an object.
const WORDS_BLOB: &str = "store/objects/02/2c40a52681e61ec2ae748a5dfbd7da243b0344";

/// A repository with one commit, and a working tree elsewhere.
fn repository(run: &Path) -> io::Result<()> {
    let store = run.join("store");
    fs::create_dir_all(store.join("refs/heads"))?;
    fs::create_dir_all(run.join("tree"))?;
    fs::write(store.join("HEAD"), "ref: refs/heads/main\n")?;
    fs::write(store.join("config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n")?;
    let (folder, name) = COMMIT.split_at(2);
    fs::create_dir_all(store.join("objects").join(folder))?;
    fs::write(store.join("objects").join(folder).join(name), stored(COMMIT_TEXT.as_bytes()))?;
    fs::write(run.join(MAIN), format!("{COMMIT}\n"))?;
    fs::write(run.join("tree/.git"), "gitdir: ../store\n")?;
    words(&run.join("tree"))
}

/// A zlib stream (RFC 1950) of one block that is stored and not packed (RFC 1951, 3.2.4).
fn stored(content: &[u8]) -> Vec<u8> {
    let length = content.len() as u16;
    let mut stream = vec![0x78, 0x01, 1];
    stream.extend(length.to_le_bytes());
    stream.extend((!length).to_le_bytes());
    stream.extend(content);
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in content {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    stream.extend((high << 16 | low).to_be_bytes());
    stream
}
