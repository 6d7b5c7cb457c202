//! Events and documentation: every line is what it says.

use super::*;
use crate::unavailable::Lacking;

#[test]
fn an_event_file_holds_one_line_of_json_for_each_event_whatever_a_program_left() {
    let place = Place::new();
    let path = place.folder.path().join("events.jsonl");
    let events = Arc::new(EventFile::append(&path).unwrap());
    let session = Session::builder().base(place.base()).observer(events.clone()).build();
    let text = "import os
for name in (b'a\\nb', b'\\x1b[2J', b'\\xff', '\\u202e'.encode(), b'-rf', b']]>', b'{\"event\":\"SANDBOX_RUN\"}'):
    open(os.getcwdb() + b'/' + name, 'w')
print('{\"event\":\"SANDBOX_RUN\",\"outcome\":\"exited\"}')";
    let run = session.run(&python(text)).unwrap();
    assert!(run.outcome().is_success(), "{}", said(run.stderr()));
    run.harvest("*", &HarvestLimits::default()).unwrap();
    drop(run);
    drop(session);
    assert!(events.failure().is_none());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.bytes().all(|byte| byte == b'\n' || (0x20..0x7f).contains(&byte)));
    let names: Vec<String> = text
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(names, ["SANDBOX_SESSION", "SANDBOX_RUN", "SANDBOX_HARVEST", "SANDBOX_RELEASED"]);
}

/// Every technique of both families stands in the table of the threat model, and every test that it names
/// exists.
#[test]
fn the_table_of_techniques_is_complete_and_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = fs::read_to_string(root.join("docs/threat-model.md")).unwrap();
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| `HT-") || line.starts_with("| `SL-"))
        .collect();
    let techniques = "SYMLINKREAD SYMLINKWRITE SYMLINKDIR FIFO SOCKET DEVNODE SUID FILECAPS MODE000 ACL DEEPTREE
        MANYFILES SPARSE NAMES SYMLOOP JSONBOMB PICKLE GITCONFIG IMPORTSHADOW AGENTCONFIG ARCHIVE ANSILOG
        BADUTF8OUT XATTRHIDE HARDLINKOUT";
    let lifecycle =
        "RESIDUE CROSSREAD COVERT OPENFDLATE SWEEPLIVE PIDREUSE MTIMESWEEP SWEEPSYMLINK LOCKSTEAL
        SUPERVISORDEATH";
    let ids = techniques.split_whitespace().map(|name| format!("`HT-{name}`"));
    for id in ids.chain(lifecycle.split_whitespace().map(|name| format!("`SL-{name}`"))) {
        assert_eq!(rows.iter().filter(|row| row.contains(&id)).count(), 1, "{id}");
    }
    for row in rows {
        let named = row.rsplit('`').nth(1).unwrap().replacen("T/", "backends/tests/", 1);
        let (file, test) = named.split_once('#').unwrap();
        let source = fs::read_to_string(root.join(file)).unwrap();
        let exists =
            source.contains(&format!("fn {test}(")) || source.contains(&format!("\"{test}\""));
        assert!(exists, "{named}");
    }
}

/// The schema in the documentation has every event and every field that a session tells.
#[test]
fn every_event_and_field_is_documented() {
    let place = Place::new();
    place.plant("dead", |owner| owner.pid = 0);
    let session = place.session().build();
    let run = session.run(&python("open('x', 'w')")).unwrap();
    run.harvest("x", &HarvestLimits::default()).unwrap();
    drop(run);
    drop(session);
    place.session().backend(Lacking { at_launch: false }).build().run(&python("")).unwrap_err();
    place.session().mode(Mode::AuditOnly).build().run(&python("")).unwrap();
    let finding = backends::events::What::Finding { run: Some(1), finding: "stayed".to_owned() };
    place.told.event(&Event::now(None, finding));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = fs::read_to_string(root.join("docs/events.md")).unwrap();
    let told = place.told.0.lock().unwrap();
    let mut names = std::collections::BTreeSet::new();
    for event in told.iter() {
        let name = event["event"].as_str().unwrap();
        names.insert(name.to_owned());
        let section =
            text.split(&format!("## `{name}`")).nth(1).unwrap().split("\n## ").next().unwrap();
        let common = text.split("\n## ").next().unwrap();
        for field in event.as_object().unwrap().keys() {
            let field = format!("`{field}`");
            assert!(section.contains(&field) || common.contains(&field), "{name} {field}");
        }
    }
    assert_eq!(names.len(), text.matches("\n## `SANDBOX_").count());
}
