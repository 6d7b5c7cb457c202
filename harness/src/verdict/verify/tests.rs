use super::super::sample::{attempt_of, records};
use super::*;
use reports::record::{Answer, Record, Writer};
use std::fs;
use tempfile::TempDir;

/// The folder that a run leaves.
fn folder(records: &[Record]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut writer = Writer::new(File::create(folder.path().join(RECORDS)).unwrap());
    for record in records {
        writer.append(record).unwrap();
    }
    let verdict = conclude(records).unwrap().canonical();
    fs::write(folder.path().join(VERDICT), verdict).unwrap();
    folder
}

/// What verification says after a file of a good folder was changed.
fn edited(name: &str, edit: impl FnOnce(String) -> String) -> Result<Verdict, VerifyError> {
    let folder = folder(&records("run one"));
    assert!(verify(folder.path()).is_ok());
    let path = folder.path().join(name);
    let before = fs::read_to_string(&path).unwrap();
    let after = edit(before.clone());
    assert_ne!(after, before, "the edit changed nothing");
    fs::write(path, after).unwrap();
    verify(folder.path())
}

fn told(result: Result<Verdict, VerifyError>) -> String {
    result.unwrap_err().to_string()
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[test]
fn the_folder_of_an_honest_run_is_verified() {
    let records = records("run one");
    assert_eq!(verify(folder(&records).path()).unwrap(), conclude(&records).unwrap());
}

#[test]
fn the_order_of_the_lines_does_not_matter() {
    let turned = edited(RECORDS, |text| lines(&text).into_iter().rev().collect());
    assert!(turned.is_ok());
}

#[test]
fn no_line_on_which_the_verdict_rests_can_be_taken_away() {
    let text = fs::read_to_string(folder(&records("run one")).path().join(RECORDS)).unwrap();
    for line in lines(&text) {
        let result = edited(RECORDS, |text| text.replacen(line, "", 1));
        // The act got out: an effect wins with its control and without it.
        let got_out = line.starts_with("{\"record\":\"control\",\"escape\":\"metadata/stat\"");
        let refused =
            matches!(result, Err(VerifyError::DoesNotFollow { .. } | VerifyError::Conclude(_)));
        assert_eq!((result.is_ok(), refused), (got_out, !got_out), "{line}");
    }
}

#[test]
fn no_line_can_stand_twice() {
    let doubled = told(edited(RECORDS, |text| {
        let last = lines(&text).pop().unwrap().to_owned();
        text + &last
    }));
    assert_eq!(doubled, "verify: conclude: files against native, python+hook is there twice");
}

#[test]
fn a_cut_line_and_an_empty_file_are_refused() {
    let cut = edited(RECORDS, |text| text[..text.len() - 1].to_owned()).unwrap_err();
    assert!(matches!(cut, VerifyError::Records(ReadError::Cut { .. })), "{cut}");
    let empty = edited(RECORDS, |_text| String::new()).unwrap_err();
    assert!(matches!(empty, VerifyError::Records(ReadError::Empty)), "{empty}");
    let empty = edited(VERDICT, |_text| String::new()).unwrap_err();
    assert!(matches!(empty, VerifyError::NoVerdict(_)), "{empty}");
}

#[test]
fn a_flipped_fact_no_longer_gives_the_verdict() {
    let flipped = told(edited(RECORDS, |text| {
        text.replacen("\"twin_after\":\"proved\"", "\"twin_after\":\"missing\"", 1)
    }));
    assert_eq!(
        flipped,
        "verify: at backends[0].cells[0].by the verdict says \"EACCES\" and the records entail \
         nothing"
    );
}

#[test]
fn an_edited_verdict_is_told_by_its_place() {
    let table = [
        ("\"tier\":\"S1\"", "\"tier\":\"S2\"", "backends[0].tier", "\"S2\"", "\"S1\""),
        ("\"held\":12", "\"held\":13", "backends[0].counts.held", "13", "12"),
        ("\"kernel\":\"6.18.44\"", "\"kernel\":\"7.0\"", "host.kernel", "\"7.0\"", "\"6.18.44\""),
        ("\"available\":false", "\"available\":true", "backends[1].available", "true", "false"),
        ("\"filtered\":false", "\"filtered\":false,\"more\":1", "more", "1", "nothing"),
        (
            "\"program\":\"04\"",
            "\"program\":\"\\u001b\"",
            "digests.program",
            "\"\\u001b\"",
            "\"04\"",
        ),
    ];
    for (from, to, place, stored, entailed) in table {
        assert_eq!(
            told(edited(VERDICT, |text| text.replacen(from, to, 1))),
            format!(
                "verify: at {place} the verdict says {stored} and the records entail {entailed}"
            )
        );
    }
}

#[test]
fn a_verdict_in_another_form_is_refused_although_it_follows() {
    let spaced = edited(VERDICT, |text| text + "\n").unwrap_err();
    assert!(matches!(spaced, VerifyError::Form), "{spaced}");
    let twice = edited(VERDICT, |text| {
        text.replacen("\"filtered\":false", "\"filtered\":true,\"filtered\":false", 1)
    });
    assert!(matches!(twice, Err(VerifyError::Form)));
    let broken = edited(VERDICT, |text| text.replace('}', "")).unwrap_err();
    assert!(matches!(broken, VerifyError::NoVerdict(_)), "{broken}");
}

#[test]
fn the_verdict_of_a_run_that_failed_is_verified_too_and_cannot_be_swapped() {
    let mut worse = records("run one");
    attempt_of(&mut worse, "fs-read/open").arm.answer = Answer::Done;
    let (good, bad) = (folder(&records("run one")), folder(&worse));
    assert!(verify(bad.path()).is_ok());
    fs::copy(good.path().join(VERDICT), bad.path().join(VERDICT)).unwrap();
    let error = verify(bad.path()).unwrap_err();
    assert!(matches!(error, VerifyError::DoesNotFollow { .. }), "{error}");
}

#[test]
fn a_folder_without_its_files_names_the_missing_one() {
    let folder = folder(&records(""));
    fs::remove_file(folder.path().join(VERDICT)).unwrap();
    let error = verify(folder.path()).unwrap_err();
    assert!(matches!(&error, VerifyError::File { path, .. } if path.ends_with(VERDICT)), "{error}");
}

#[test]
fn a_run_on_another_system_is_not_judged_by_the_names_of_this_one() {
    let system = format!("\"system\":\"{}\"", std::env::consts::OS);
    let error = edited(RECORDS, |text| text.replace(&system, "\"system\":\"plan9\"")).unwrap_err();
    assert!(matches!(&error, VerifyError::OtherSystem { system } if system == "plan9"), "{error}");
}

#[test]
fn a_verdict_may_have_the_largest_size_and_not_a_byte_more() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(VERDICT);
    for size in 0..9 {
        fs::write(&path, &b"12345678"[..size]).unwrap();
        match contents(&path, 4) {
            Ok(bytes) => assert_eq!((bytes.len(), size <= 4), (size, true)),
            Err(error) => {
                assert!(matches!(error, VerifyError::TooLarge { .. }) && size > 4, "{error}");
            }
        }
    }
}
