//! `certify`, end to end: bad sandboxes are rejected, each protection is missed when it is taken
//! away, broken instruments are never green, and a verdict stands on its records.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The command under test.
#[expect(clippy::disallowed_methods, reason = "the command is tested from outside")]
fn escapology() -> Command {
    Command::new(env!("CARGO_BIN_EXE_escapology"))
}

fn certify(arguments: &[&str]) -> Output {
    escapology().arg("certify").args(arguments).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Certifies a part of the catalogue and returns the exit code and the verdict.
fn verdict(arguments: &[&str]) -> (i32, Value) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let output =
        escapology().arg("certify").args(arguments).arg("--out").arg(&path).output().unwrap();
    let verdict = std::fs::read(path.join("verdict.json"))
        .unwrap_or_else(|_| panic!("no verdict: {}", text(&output.stderr)));
    (code(&output), serde_json::from_slice(&verdict).unwrap())
}

/// How often each outcome stands in the cells of a verdict's only backend.
fn count(verdict: &Value, outcome: &str) -> usize {
    let cells = verdict["backends"][0]["cells"].as_array().unwrap();
    cells
        .iter()
        .filter(|cell| cell.to_string().contains(&format!("\"outcome\":\"{outcome}\"")))
        .count()
}

fn outcomes(verdict: &Value, outcome: &str) -> Vec<String> {
    let cells = verdict["backends"][0]["cells"].as_array().unwrap();
    cells
        .iter()
        .filter(|cell| cell.to_string().contains(&format!("\"outcome\":\"{outcome}\"")))
        .map(|cell| cell["escape"].as_str().unwrap().to_owned())
        .collect()
}

fn wrapper(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrappers").join(name);
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_sandbox_that_does_nothing_lets_everything_escape() {
    let (code, verdict) =
        verdict(&["--backend", &wrapper("noop.toml"), "--runtime", "native", "fs-read/open"]);
    assert_eq!(code, 1);
    assert!(count(&verdict, "escaped") > 0);
    assert_eq!(count(&verdict, "held"), 0);
}

#[test]
fn a_sandbox_that_denies_everything_holds_nothing() {
    let (code, verdict) =
        verdict(&["--backend", &wrapper("deny.toml"), "--runtime", "native", "fs-read/open"]);
    assert_eq!(code, 3);
    assert_eq!(count(&verdict, "held"), 0);
    assert!(count(&verdict, "inconclusive") > 0);
}

#[test]
fn a_sandbox_that_lies_about_exit_codes_is_judged_by_effects() {
    let (code, verdict) =
        verdict(&["--backend", &wrapper("liar.toml"), "--runtime", "native", "fs-read/open"]);
    assert_eq!(code, 1);
    assert!(count(&verdict, "escaped") > 0);
    assert_eq!(count(&verdict, "held"), 0);
}

#[test]
fn a_wrapper_that_joins_its_arguments_never_holds_anything() {
    let (code, verdict) =
        verdict(&["--backend", &wrapper("join.toml"), "--runtime", "native", "fs-read/open"]);
    assert_eq!(code, 3);
    assert_eq!(count(&verdict, "held"), 0);
}

#[test]
fn the_control_backend_lets_through_what_native_holds() {
    let (none, bare) = verdict(&["--backend", "none", "--runtime", "native", "fs-read/open"]);
    let (native, confined) =
        verdict(&["--backend", "native", "--runtime", "native", "fs-read/open"]);
    assert_eq!((none, native), (1, 0));
    assert_eq!(count(&bare, "escaped"), count(&confined, "held"));
}

#[test]
fn taking_a_protection_away_is_noticed_by_an_escape_that_is_named() {
    let root = nix::unistd::geteuid().is_root();
    for (protection, filter, escape) in [
        ("landlock", "fs-read/open", "fs-read/open"),
        ("seccomp", "fs-write/chmod", "fs-write/chmod"),
        ("descriptors", "ipc/pipe-inherit", "ipc/pipe-inherit"),
        ("environment", "environment/variables", "environment/variables"),
        ("execute-once", "exec/re-exec", "exec/re-exec.absolute"),
        ("capabilities", "kernel/capabilities", "kernel/capabilities"),
        ("limits", "resource/descriptors", "resource/descriptors"),
    ] {
        if protection == "capabilities" && !root {
            continue;
        }
        let held = ["--backend", "native", "--runtime", "native", filter];
        let (code, whole) = verdict(&held);
        assert_eq!((code, count(&whole, "escaped")), (0, 0), "{protection}");
        let (code, weak) = verdict(&[&held[..], &["--without", protection]].concat());
        assert_eq!(code, 1, "{protection}");
        let escaped = outcomes(&weak, "escaped");
        assert!(escaped.iter().any(|id| id == escape), "{protection}: {escaped:?}");
    }
}

#[test]
fn unknown_names_list_the_known_ones_and_nothing_runs() {
    for (arguments, known) in [
        (vec!["--backend", "nativ"], "native"),
        (vec!["--backend", ""], "native"),
        (vec!["--backend", "Native"], "native"),
        (vec!["--runtime", "perl"], "python"),
        (vec!["--expect", "s1"], "S1"),
        (vec!["--expect", ""], "S1"),
        (vec!["--without", "luck"], "landlock"),
        (vec!["nosuch"], "nosuch"),
        (vec![""], "nothing selected"),
    ] {
        let output = certify(&arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(known), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    let twice = certify(&["--backend", "native", "--backend", "native"]);
    assert_eq!(code(&twice), 2);
    let explain = escapology().args(["explain", "fs-read/nosuch"]).output().unwrap();
    assert_eq!(code(&explain), 2);
    assert!(text(&explain.stderr).contains("fs-read/open"));
}

#[test]
fn an_output_folder_that_cannot_be_written_is_found_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").unwrap();
    let output = certify(&["--out", file.to_str().unwrap(), "fs-read/open"]);
    assert_eq!(code(&output), 3);
    assert!(output.stdout.is_empty());
    assert!(text(&output.stderr).contains("output folder"), "{}", text(&output.stderr));
}

#[test]
fn a_missing_interpreter_is_an_error_and_never_green() {
    let output = escapology()
        .args(["certify", "--runtime", "native,python", "fs-read/open"])
        .env("ESCAPOLOGY_PYTHON", "/nonexistent/python3")
        .output()
        .unwrap();
    assert_eq!(code(&output), 3);
    assert!(text(&output.stderr).contains("/nonexistent/python3"));
}

#[test]
fn a_wrapper_whose_program_is_missing_is_unavailable() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("absent.toml");
    std::fs::write(&file, "name = \"absent\"\nmechanism = \"x\"\nstart = [\"/nonexistent/box\"]\n")
        .unwrap();
    let (code, verdict) = verdict(&["--backend", file.to_str().unwrap(), "fs-read/open"]);
    assert_eq!(code, 3);
    assert_eq!(verdict["backends"][0]["cells"].as_array().unwrap().len(), 0);
    std::fs::write(&file, "name = \"absent\"\nbogus = 1\n").unwrap();
    assert_eq!(self::code(&certify(&["--backend", file.to_str().unwrap()])), 2);
}

#[test]
fn the_same_facts_give_the_same_verdict_bytes_and_a_changed_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = ["one", "two"].iter().map(|name| folder.path().join(name)).collect();
    for path in &paths {
        let arguments = ["--backend", "native", "--out", path.to_str().unwrap(), "fs-read/"];
        assert_eq!(code(&certify(&arguments)), 0);
    }
    let bytes = |path: &PathBuf| std::fs::read(path.join("verdict.json")).unwrap();
    assert_eq!(bytes(&paths[0]), bytes(&paths[1]));
    let verify = |path: &PathBuf| escapology().arg("verify").arg(path).output().unwrap();
    assert_eq!(code(&verify(&paths[0])), 0);
    let records = paths[0].join("records.jsonl");
    let lines = std::fs::read_to_string(&records).unwrap();
    let without_last = lines.trim_end().rsplit_once('\n').unwrap().0;
    std::fs::write(&records, format!("{without_last}\n")).unwrap();
    assert_eq!(code(&verify(&paths[0])), 1);
}

#[test]
fn a_run_that_is_killed_half_way_leaves_no_verdict_and_the_next_run_sweeps_its_worlds() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("worlds");
    std::fs::create_dir(&base).unwrap();
    let out = folder.path().join("out");
    let start = |filter: &str| {
        let mut command = escapology();
        command.env("TMPDIR", &base).args(["certify", "--out"]).arg(&out).arg(filter);
        command
    };
    let mut run = start("e").stdout(std::process::Stdio::null()).spawn().unwrap();
    while std::fs::read_dir(&base).unwrap().count() == 0 {
        std::thread::yield_now();
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(!out.join("verdict.json").exists());
    let again = start("fs-read/open").output().unwrap();
    let said = (text(&again.stdout), text(&again.stderr));
    assert_eq!(code(&again), 0, "{said:?}");
    assert!(out.join("verdict.json").exists());
    let left: Vec<_> = std::fs::read_dir(&base).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn audit_only_warns_and_earns_nothing() {
    let output = certify(&["--backend", "audit-only", "--runtime", "native", "fs-read/open"]);
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("NOT a sandbox"));
}

#[test]
fn a_map_of_depth_names_the_layers_and_judges_only_what_was_asked_for() {
    let (code, verdict) = verdict(&["--depth", "--runtime", "native", "fs-read/open"]);
    assert_eq!(code, 0);
    let rows = verdict["depth"].as_array().unwrap();
    let open = rows.iter().find(|row| row["escape"] == "fs-read/open").unwrap();
    assert_eq!(open["stopped_by"], serde_json::json!(["landlock", "mount-namespace"]));
    assert_eq!(open["passes"], serde_json::json!(["hygiene", "seccomp"]));
    let (code, verdict) = self::verdict(&["--runtime", "native", "fs-read/open"]);
    assert_eq!((code, verdict["depth"].as_array().unwrap().len()), (0, 0));
}

#[test]
fn hidden_metadata_leaves_no_residue_of_paths_where_native_has_some() {
    // What a host says of itself needs no path.
    let paths = |verdict: &Value| -> Vec<String> {
        let residue = outcomes(verdict, "residue");
        residue.into_iter().filter(|id| !id.starts_with("metadata/host")).collect()
    };
    let (code, plain) = verdict(&["metadata/"]);
    assert_eq!(code, 0);
    assert!(!paths(&plain).is_empty());
    let (code, hidden) = verdict(&["--hide-metadata", "metadata/"]);
    assert_eq!(code, 0);
    assert_eq!(paths(&hidden), Vec::<String>::new());
    let held = outcomes(&hidden, "held");
    for id in paths(&plain) {
        assert!(held.contains(&id), "{id}");
    }
}
