use super::*;
use crate::record::{Answer, Arm, Control, Effect, EffectKind, Finish, Runtime, Start, Twin};
use proptest::prelude::*;

fn control(escape: &str, remarks: &str) -> Record {
    Record::Control(Control {
        escape: escape.to_owned(),
        runtime: Runtime::Native,
        arm: Arm {
            start: Start::Started,
            twin_before: Twin::Proved,
            reached: true,
            answer: Answer::Errno(13),
            twin_after: Twin::Proved,
            effects: vec![Effect { kind: EffectKind::TokenLeaked, detail: "stdout".to_owned() }],
            finish: Finish::Exited(0),
            findings: Vec::new(),
            remarks: remarks.to_owned(),
        },
    })
}

fn written(records: &[Record]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    for record in records {
        writer.append(record).unwrap();
    }
    writer.sink
}

fn text() -> String {
    String::from_utf8(written(&[control("fs-read/open", ""), control("fs-read/link", "")])).unwrap()
}

#[test]
fn a_record_has_one_readable_form() {
    let line = String::from_utf8(written(&[control("fs-read/open", "bye")])).unwrap();
    assert_eq!(
        line,
        "{\"record\":\"control\",\"escape\":\"fs-read/open\",\"runtime\":\"native\",\"arm\":\
         {\"start\":\"started\",\"twin_before\":\"proved\",\"reached\":true,\"answer\":\
         {\"errno\":13},\"twin_after\":\"proved\",\"effects\":[{\"kind\":\"token-leaked\",\
         \"detail\":\"stdout\"}],\"finish\":{\"exited\":0},\"findings\":[],\"remarks\":\"bye\"}}\n"
    );
}

#[test]
fn each_record_is_one_write_that_ends_in_a_newline() {
    #[derive(Default)]
    struct Writes(Vec<Vec<u8>>);
    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = Writer::new(Writes::default());
    writer.append(&control("fs-read/open", "a\nb")).unwrap();
    writer.append(&control("fs-read/link", "")).unwrap();
    let writes = writer.sink.0;
    assert_eq!(writes.len(), 2);
    assert!(writes.iter().all(|write| write.ends_with(b"}\n")));
    assert!(writes.iter().all(|write| write.iter().filter(|byte| **byte == b'\n').count() == 1));
}

#[test]
fn whole_lines_are_read_and_a_cut_line_is_refused_by_number() {
    assert_eq!(read(text().as_bytes()).unwrap().len(), 2);
    let cut = text();
    let error = read(&cut.as_bytes()[..cut.len() - 1]).unwrap_err();
    assert!(matches!(error, ReadError::Cut { line: 2 }), "{error}");
    let error = read(&cut.as_bytes()[..cut.len() - 9]).unwrap_err();
    assert!(matches!(error, ReadError::Cut { line: 2 }), "{error}");
}

#[test]
fn nothing_is_not_a_run() {
    assert!(matches!(read(&b""[..]), Err(ReadError::Empty)));
    assert!(matches!(read(&b"\n"[..]), Err(ReadError::NoRecord { line: 1, .. })));
}

#[test]
fn no_other_form_of_a_record_is_taken() {
    let good = text();
    assert!(read(good.as_bytes()).is_ok());
    let spaced = good.replace("\"reached\":true", "\"reached\": true");
    assert!(matches!(read(spaced.as_bytes()), Err(ReadError::Form { line: 1 })));
    let wrong = [
        ("\"reached\":true", "\"reached\":true,\"extra\":1"),
        ("\"reached\":true", "\"reached\":true,\"reached\":false"),
        ("\"reached\":true,", ""),
        ("\"reached\":true", "\"reached\":\"yes\""),
        ("\"record\":\"control\"", "\"record\":\"controls\""),
        ("\"record\":\"control\"", "\"record\":\"control\",\"record\":\"host\""),
        ("\"record\":\"control\"", "\"record\":\"control\",\"more\":{}"),
        ("\"kind\":\"token-leaked\"", "\"kind\":\"token-leaked\",\"more\":0"),
        ("{\"errno\":13}", "{\"errno\":13.0}"),
        ("{\"errno\":13}", "{\"errno\":99999999999}"),
        ("{\"errno\":13}", "{\"errno\":13,\"killed\":9}"),
    ];
    for (from, to) in wrong {
        let text = good.replace(from, to);
        assert_ne!(text, good, "{from} does not occur");
        let error = read(text.as_bytes()).unwrap_err();
        assert!(matches!(error, ReadError::NoRecord { line: 1, .. }), "{to}: {error}");
    }
}

#[test]
fn an_unknown_field_hides_in_no_foreign_type_either() {
    let backend = "{\"record\":\"backend\",\"name\":\"native\",\"mechanism\":null,\"layer\":null,\
                   \"support\":{\"protections\":[]},\"keeps_limits\":true,\"commitment\":null,\
                   \"artefact\":null,\"warning\":null,\
                   \"unavailable\":null}\n";
    assert!(read(backend.as_bytes()).is_ok());
    let hidden = backend.replace("\"protections\":[]", "\"protections\":[],\"hidden\":1");
    assert!(matches!(read(hidden.as_bytes()), Err(ReadError::Form { line: 1 })));
}

#[test]
fn a_line_beyond_the_limit_is_neither_written_nor_read() {
    let limit = usize::try_from(LINE_LIMIT).unwrap();
    let rest = written(&[control("fs-read/open", "")]).len();
    let fits = control("fs-read/open", &"x".repeat(limit - rest));
    let bytes = written(std::slice::from_ref(&fits));
    assert_eq!(read(bytes.as_slice()).unwrap(), [fits]);
    let long = control("fs-read/open", &"x".repeat(limit - rest + 1));
    let refused = Writer::new(Vec::new()).append(&long).unwrap_err();
    assert!(matches!(refused, WriteError::TooLong { .. }), "{refused}");
    let error = read(line(&long).unwrap().as_slice()).unwrap_err();
    assert!(matches!(error, ReadError::TooLong { line: 1 }), "{error}");
}

proptest! {
    #[test]
    fn what_was_written_is_read_back(
        texts in proptest::collection::vec((any::<String>(), any::<String>()), 1..5),
    ) {
        let records: Vec<Record> =
            texts.iter().map(|(escape, remarks)| control(escape, remarks)).collect();
        prop_assert_eq!(read(written(&records).as_slice()).unwrap(), records);
    }

    #[test]
    fn arbitrary_bytes_are_read_without_a_panic(bytes in any::<Vec<u8>>()) {
        let _ = read(bytes.as_slice());
    }
}

#[test]
fn the_same_record_with_its_fields_in_another_order_is_refused_although_nothing_is_longer() {
    let line = String::from_utf8(written(&[control("fs-read/open", "bye")])).unwrap();
    read(line.as_bytes()).unwrap();
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let sorted = format!("{value}\n");
    assert_eq!(sorted.len(), line.len());
    assert_ne!(sorted, line);
    assert!(matches!(read(sorted.as_bytes()), Err(ReadError::Form { line: 1 })));
}
