//! `search`, end to end: holes are found where there are some, none where there are none, and a sandbox
//! in which nothing runs proves nothing.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use escapes::search::program::Program;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

#[expect(clippy::disallowed_methods, reason = "the command is tested from outside")]
fn search(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_escapology")).arg("search").args(arguments).output().unwrap()
}

/// Searches with one seed, and returns the exit code and what is said of the only backend.
fn searched(backend: &str, cases: &str) -> (i32, Value) {
    let output = search(&["--json", "--seed", "1", "--backend", backend, "--cases", cases]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let object: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"));
    (output.status.code().unwrap(), object["backends"][0].clone())
}

fn wrapper(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrappers").join(name);
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_layer_alone_leaks_and_each_hole_is_a_program_and_an_escape_file() {
    let (code, landlock) = searched("landlock", "60");
    let holes = landlock["holes"].as_array().unwrap();
    assert_eq!(code, 1);
    assert!(holes.len() >= 3, "{landlock}");
    for hole in holes {
        let text = hole["program"].as_str().unwrap();
        assert_eq!(Program::parse_all(text).unwrap().len(), 1);
        assert!(hole["escape"].as_str().unwrap().contains(text));
    }
    let found = |name: &str| holes.iter().any(|hole| hole["operation"] == name);
    assert!(!found("openat read file"), "Landlock holds it: {landlock}");
}

#[test]
fn what_is_whole_lets_nothing_out_and_yet_its_programs_can_work() {
    let (code, native) = searched("native", "150");
    assert_eq!((code, native["holes"].as_array().unwrap().len()), (0, 0), "{native}");
    assert_eq!(native["programs"], 150);
    assert!(native["succeeded"].as_u64().unwrap() > 0, "{native}");
}

#[test]
fn a_sandbox_that_does_nothing_is_full_of_holes_and_one_in_which_nothing_runs_proves_nothing() {
    let (code, noop) = searched(&wrapper("noop.toml"), "24");
    assert_eq!(code, 1);
    assert!(!noop["holes"].as_array().unwrap().is_empty());
    let (code, deny) = searched(&wrapper("deny.toml"), "24");
    assert_eq!(code, 3);
    assert!(deny["inconclusive"].as_str().unwrap().contains("never begun"), "{deny}");
}

#[test]
fn a_command_line_that_would_try_nothing_is_wrong() {
    for arguments in [&["--cases", "0"][..], &["--backend", "nobody"]] {
        assert_eq!(search(arguments).status.code(), Some(2));
    }
}
