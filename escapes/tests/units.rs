//! Units on the command line: sealed records that verify, builds whose steps are confined or say that
//! they are not.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

struct Place {
    _folder: TempDir,
    base: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        fs::create_dir(base.join("out")).unwrap();
        fs::write(base.join("source"), "source").unwrap();
        fs::write(base.join("secret"), "secret").unwrap();
        Self { _folder: folder, base }
    }

    fn text(&self, name: &str) -> String {
        self.base.join(name).to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.base.join(name), text).unwrap();
        self.text(name)
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.base.join(name)).ok()
    }

    /// Builds and returns the exit code, the sealed records and standard error.
    fn build(&self, arguments: &[&str]) -> (i32, Vec<Value>, String) {
        let output = escapology(&[&["build", "--json"], arguments].concat());
        let lines = text(&output.stdout);
        let records = lines.lines().map(|line| serde_json::from_str(line).unwrap());
        (code(&output), records.collect(), text(&output.stderr))
    }
}

#[expect(clippy::disallowed_methods, reason = "the command is tested from outside")]
fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_escapology"))
}

fn escapology(arguments: &[&str]) -> Output {
    command().args(arguments).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn tiers(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["tier"].as_str().unwrap()).collect()
}

#[test]
fn a_sealed_record_of_a_run_verifies_and_a_changed_one_does_not() {
    let place = Place::new();
    let source = place.text("source");
    let run = escapology(&["run", "--json", "--read", &source, "--", "/bin/cat", &source]);
    assert_eq!(code(&run), 0, "{}", text(&run.stderr));
    let record: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(record["tier"], "S1");
    assert_eq!(record["exit"], json!({ "code": 0 }));
    assert_eq!(record["unit"]["arguments"], json!([source]));
    let file = place.file("record.json", &text(&run.stdout));
    let verified = escapology(&["verify", &file]);
    assert_eq!(code(&verified), 0, "{}", text(&verified.stderr));
    assert!(text(&verified.stdout).contains(record["commitment"].as_str().unwrap()));
    for (what, with) in [
        (r#""tier":"S1""#, r#""tier":"S0""#),
        (source.as_str(), "/etc"),
        (r#""code":0"#, r#""code" :0"#),
    ] {
        let changed = text(&run.stdout).replace(what, with);
        assert_ne!(changed, text(&run.stdout));
        let refused = escapology(&["verify", &place.file("changed.json", &changed)]);
        assert_eq!(code(&refused), 1, "{what}");
        assert!(refused.stdout.is_empty());
    }
    assert_eq!(code(&escapology(&["verify", &place.file("empty", "")])), 1);
}

#[test]
fn the_record_beside_a_run_verifies_and_holds_the_digest_of_what_was_handed_on() {
    let place = Place::new();
    let record = place.text("record.json");
    let run = escapology(&["run", "--record", &record, "--", "/bin/echo", "hello"]);
    assert_eq!((code(&run), text(&run.stdout)), (0, "hello\n".to_owned()));
    let sealed: Value = serde_json::from_str(&place.read("record.json").unwrap()).unwrap();
    assert_eq!(sealed["stdout"]["bytes"], 6);
    assert!(sealed.get("stdout_base64").is_none());
    assert_eq!(code(&escapology(&["verify", &record])), 0);
    let opted_out = ["run", "--backend", "audit-only", "--record", &record, "--", "/bin/true"];
    assert_eq!(code(&escapology(&opted_out)), 0);
    let sealed: Value = serde_json::from_str(&place.read("record.json").unwrap()).unwrap();
    assert_eq!((&sealed["tier"], &sealed["mechanism"]), (&json!("S0"), &Value::Null));
    assert_eq!(sealed["unconfined_because"], "the caller asked for audit-only");
    assert_eq!(code(&escapology(&["verify", &record])), 0);
}

/// Two steps that S1 can keep, the second of which tries to read more than it is granted; and one that
/// asks for a subprocess, which can.
const BUILD: &str = r#"
    [[step]]
    name = "copy"
    command = ["/bin/bash", "-c", "read x < {folder}/source; echo $x > {folder}/out/copied"]
    grants = { read = ["{folder}/source"], write = ["{folder}/out"] }

    [[step]]
    name = "steal"
    command = ["/bin/bash", "-c", "read x < {folder}/secret; echo \"$x\" > {folder}/out/stolen"]
    grants = { write = ["{folder}/out"] }

    [[step]]
    name = "spawn"
    command = ["/bin/bash", "-c", "/bin/cat {folder}/secret > {folder}/out/read"]
    grants = { write = ["{folder}/out"], subprocess = true }
"#;

#[test]
fn a_step_is_confined_where_s1_can_keep_its_grants_and_the_record_of_another_says_why_not() {
    let place = Place::new();
    let file = place.file("build.toml", BUILD);
    let (code, records, error) = place.build(&[&file]);
    assert_eq!(code, 0, "{error}");
    assert_eq!(tiers(&records), ["S1", "S1", "S0"]);
    assert_eq!(place.read("out/copied").unwrap(), "source\n");
    assert_eq!(place.read("out/stolen").unwrap(), "\n", "the confined step read nothing");
    assert_eq!(place.read("out/read").unwrap(), "secret", "the unconfined one read it");
    assert!(records[2]["mechanism"].is_null() && records[2]["commitment"].is_null());
    let why = "S1 cannot enforce the grant of subprocess: it needs a managed runtime (S2)";
    assert_eq!(records[2]["unconfined_because"], why);
    for line in ["S1  exit 0", "S0  exit 0", "spawn: S1 cannot enforce"] {
        assert!(error.contains(line), "{line}: {error}");
    }
}

#[test]
fn a_required_rung_turns_the_fall_back_into_a_failure_and_the_step_does_not_run() {
    let place = Place::new();
    let file = place.file("build.toml", BUILD);
    let (code, records, error) = place.build(&["--require", "S1", &file]);
    assert_eq!((code, tiers(&records)), (1, vec!["S1", "S1"]));
    assert!(error.contains("S1 is required"), "{error}");
    assert_eq!(place.read("out/read"), None);
}

/// Nothing of a host is in the digest of a unit, so the one that is shown is the one of today.
#[test]
fn the_record_that_the_documentation_shows_is_of_the_same_unit() {
    let run = escapology(&["run", "--json", "--", "/bin/echo", "hello"]);
    let record: Value = serde_json::from_slice(&run.stdout).unwrap();
    let digest = record["unit_digest"].as_str().unwrap();
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/units.md");
    assert!(fs::read_to_string(page).unwrap().contains(digest), "{digest}");
}

#[test]
fn the_first_step_that_fails_stops_the_build() {
    let place = Place::new();
    let script = |script: &str| json!(["/bin/bash", "-c", script]);
    let write = json!({ "write": ["{folder}/out"] });
    let steps = json!([
        { "command": script("echo one"), "grants": write },
        { "command": script("exit 3"), "grants": write },
        { "command": script("echo ran > {folder}/out/third"), "grants": write },
    ]);
    let file = place.file("build.json", &steps.to_string());
    let (code, records, error) = place.build(&[&file]);
    assert_eq!(code, 1);
    assert_eq!(records.len(), 2);
    assert_eq!(records[1]["exit"], json!({ "code": 3 }));
    assert!(error.contains("step 2 of 3 failed; the rest did not run"), "{error}");
    assert!(error.contains("exit 3"), "{error}");
    assert_eq!(place.read("out/third"), None);
    let third = json!([{ "command": steps[2]["command"], "grants": write }]);
    let file = place.file("third.json", &third.to_string());
    assert_eq!(place.build(&[&file]).0, 0);
    assert_eq!(place.read("out/third").unwrap(), "ran\n", "the control: it can run");
    let last = json!([{ "command": script("exit 3") }]);
    let error = place.build(&[&place.file("last.json", &last.to_string())]).2;
    assert!(error.contains("step 1 of 1 failed\n"), "there is no rest to speak of: {error}");
}

#[test]
fn a_step_whose_grant_is_no_grant_does_not_run_unconfined_either() {
    let place = Place::new();
    std::os::unix::fs::symlink(place.base.join("out"), place.base.join("link")).unwrap();
    for grant in ["{folder}/link", "{folder}/absent", "relative", "/", "{folder}/out/.."] {
        let steps = json!([{
            "command": ["/bin/bash", "-c", "echo ran > {folder}/out/mark"],
            "grants": { "write": [grant] },
        }]);
        let (code, records, error) = place.build(&[&place.file("build.json", &steps.to_string())]);
        assert_eq!((code, records.len()), (3, 0), "{grant}: {error}");
        assert!(error.contains("did not run"), "{error}");
        assert_eq!(place.read("out/mark"), None);
    }
}

#[test]
fn a_text_that_can_be_no_grant_is_found_before_the_first_step_runs() {
    let place = Place::new();
    for grant in ["relative", "", "/", "//", "/.", "{folder}/out/..", "{folder}/out\0"] {
        let steps = json!([
            { "command": ["/bin/bash", "-c", "echo ran > {folder}/out/mark"],
              "grants": { "write": ["{folder}/out"] } },
            { "command": ["/bin/echo"], "grants": { "read": [grant] } },
        ]);
        let (code, records, error) = place.build(&[&place.file("build.json", &steps.to_string())]);
        assert_eq!((code, records.len()), (3, 0), "{grant}: {error}");
        assert!(error.contains("step 2 of 2"), "{error}");
        assert_eq!(place.read("out/mark"), None);
    }
}

#[test]
fn a_clock_that_a_step_withholds_is_not_given_in_silence() {
    let place = Place::new();
    let steps = json!([{ "command": ["/bin/true"], "grants": { "clock": false } }]);
    let file = place.file("build.json", &steps.to_string());
    let (code, records, _) = place.build(&[&file]);
    assert_eq!((code, tiers(&records)), (0, vec!["S0"]));
    assert!(records[0]["unconfined_because"].as_str().unwrap().contains("the grant of clock"));
    assert_eq!(place.build(&["--require", "S1", &file]).0, 1);
}

#[test]
fn the_records_beside_a_build_verify_and_the_output_of_its_steps_is_handed_on() {
    let place = Place::new();
    let steps = json!([
        { "command": ["/bin/echo", "one"] },
        { "name": "second", "command": ["/bin/echo", "two"], "timeout": 5.5 },
    ]);
    let (file, records) = (place.file("build.json", &steps.to_string()), place.text("records"));
    let build = escapology(&["build", "--record", &records, &file]);
    assert_eq!((code(&build), text(&build.stdout)), (0, "one\ntwo\n".to_owned()));
    assert!(text(&build.stderr).contains("second"), "{}", text(&build.stderr));
    let verified = escapology(&["verify", &records]);
    assert_eq!((code(&verified), text(&verified.stdout).lines().count()), (0, 2));
    let lines = place.read("records").unwrap();
    let swapped = lines.replace(r#""two""#, r#""six""#);
    assert_eq!(code(&escapology(&["verify", &place.file("swapped", &swapped)])), 1);
}

#[test]
fn a_file_that_states_no_build_is_a_usage_error_that_says_what_is_wrong() {
    let place = Place::new();
    for (name, content, says) in [
        ("a.toml", "step = []", "states no step"),
        ("b.json", "[]", "states no step"),
        ("c.json", "[", "EOF"),
        ("d.toml", "[[step]]\ncommand = []", "has no command"),
        ("e.toml", "[[step]]\ncommand = [\"true\"]\nshell = true", "unknown field"),
        ("f.toml", "[[step]]\ncommand = [\"true\"]\ngrants = { raed = [] }", "unknown field"),
        (
            "g.json",
            r#"[{"name":"a","command":["true"]},{"name":"a","command":["true"]}]"#,
            "two steps",
        ),
        ("h.json", r#"[{"command":["true"],"timeout":-1}]"#, "time-out"),
    ] {
        let (code, records, error) = place.build(&[&place.file(name, content)]);
        assert_eq!((code, records.len()), (2, 0), "{name}: {error}");
        assert!(error.contains(says), "{name}: {error}");
        assert!(!error.contains("\\u{a}"), "it is told in one line: {name}: {error}");
    }
    let (_, _, error) = place.build(&[&place.file("i.toml", "[[step]]\ncommand = 1")]);
    assert!(error.contains("at line 2, column 11: invalid type"), "{error}");
    assert_eq!(place.build(&[&place.text("absent.toml")]).0, 2);
}

#[test]
fn the_probe_states_what_it_earned_and_a_demand_that_nobody_understands_is_a_usage_error() {
    let plain = escapology(&["probe", "--json"]);
    let found: Value = serde_json::from_slice(&plain.stdout).unwrap();
    let earned = found["tier"] == "S1";
    assert_eq!(earned, code(&plain) == 0);
    assert_eq!(earned, found["mechanism"].is_string() && found["commitment"].is_string());
    let demanded = command().arg("probe").env("ESCAPOLOGY_EXPECT", "S1").output().unwrap();
    assert_eq!(code(&demanded), if earned { 0 } else { 1 });
    let unknown = command().arg("probe").env("ESCAPOLOGY_EXPECT", "S9").output().unwrap();
    assert_eq!(code(&unknown), 2);
}
