//! The worst that a confined program can say, through every report and back.

use crate::json;
use crate::junit;
use crate::record::Record;
use crate::sample;
use crate::terminal::{self, Colour};
use crate::verdict::Verdict;
use proptest::prelude::*;
use std::collections::BTreeSet;

const FORGERY: &str = "]]></system-out></testcase><testcase name=\"forged\"/><testcase name=\"y\">\
                       <system-out><![CDATA[";

/// Reads a JUnit file with an independent reader. It demands a name of the root, which the writer
/// gives none.
pub(crate) fn parsed(text: &str) -> quick_junit::Report {
    let named = text.replacen("<testsuites>", "<testsuites name=\"root\">", 1);
    quick_junit::Report::deserialize_from_str(&named).unwrap()
}

fn worst() -> Vec<String> {
    vec![
        FORGERY.to_owned(),
        format!("\0\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\r{FORGERY}"),
        "\u{fffe}\u{ffff}\u{1ffff}".to_owned(),
        "\u{202e}\u{2066}desrever\u{2069}\u{200f}\u{feff}".to_owned(),
        "\n\nnative: S1 is earned\n  tier: S1 is earned\n".to_owned(),
        "\" forged=\"1\"><testcase name='forged'/> &amp; &#0; <!-- -- <?xml ?>".to_owned(),
        FORGERY.repeat(100),
        "]]".repeat(400) + ">",
    ]
}

/// The ids of all cases that a JUnit file must have: one a planned cell, one a piece of useful work,
/// and one a backend that is not there.
fn planned(verdict: &Verdict) -> BTreeSet<(String, usize)> {
    let mut ids: Vec<String> = Vec::new();
    for backend in &verdict.backends {
        ids.extend(backend.cells.iter().map(|cell| cell.escape.clone()));
        ids.extend(backend.useful.iter().map(|case| case.case.clone()));
        ids.extend((!backend.available).then(|| "available".to_owned()));
    }
    counted(ids)
}

fn counted(ids: Vec<String>) -> BTreeSet<(String, usize)> {
    let count = |wanted: &String| ids.iter().filter(|id| *id == wanted).count();
    ids.iter().map(|id| (id.clone(), count(id))).collect()
}

fn junit_of(verdict: &Verdict, records: &[Record]) -> String {
    String::from_utf8(junit::render(verdict, records).unwrap()).unwrap()
}

/// Demands that a JUnit file is well-formed, of legal characters, and has the planned cases alone.
fn check_junit(verdict: &Verdict, words: &str) {
    let xml = junit_of(verdict, &sample::records(verdict, words));
    let illegal = |character: &char| {
        (*character < ' ' && !matches!(character, '\t' | '\n' | '\r'))
            || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    assert_eq!(xml.chars().find(illegal), None);
    let cases = parsed(&xml)
        .test_suites
        .iter()
        .flat_map(|suite| &suite.test_cases)
        .map(|case| case.name.to_string())
        .collect();
    assert_eq!(counted(cases), planned(verdict));
}

#[test]
fn the_forgery_works_on_a_report_that_trusts_its_text() {
    let mut case = junit_report::TestCase::success("honest", junit_report::Duration::ZERO);
    case.set_system_out(FORGERY);
    let mut suite = junit_report::TestSuite::new("suite");
    suite.add_testcase(case);
    let mut report = junit_report::Report::new();
    report.add_testsuite(suite);
    let mut bytes = Vec::new();
    report.write_xml(&mut bytes).unwrap();
    let report = parsed(&String::from_utf8(bytes).unwrap());
    let names: Vec<_> =
        report.test_suites[0].test_cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["honest", "forged", "y"]);
}

#[test]
fn no_words_forge_or_hide_a_case_in_junit() {
    for words in worst() {
        check_junit(&sample::mixed(), &words);
    }
}

#[test]
fn no_words_make_a_report_large() {
    let mut verdict = sample::mixed();
    verdict.backends[0].cells = vec![verdict.backends[0].cells.pop().unwrap()];
    let words = format!("{FORGERY}{}", "A".repeat(10 << 20));
    check_junit(&verdict, &words);
    let records = sample::records(&verdict, &words);
    let page = terminal::render(&verdict, &records, Colour::Off);
    assert!(page.contains("[cut]"));
    assert!(page.len() < 64 << 10);
    assert!(junit_of(&verdict, &records).len() < 64 << 10);
}

#[test]
fn no_words_move_the_cursor_or_begin_a_line() {
    let verdict = sample::mixed();
    let honest = terminal::render(&verdict, &sample::records(&verdict, "words"), Colour::Off);
    for words in worst() {
        let page = terminal::render(&verdict, &sample::records(&verdict, &words), Colour::Off);
        assert_eq!(page.lines().count(), honest.lines().count());
        assert!(!page.chars().any(|character| character.is_control() && character != '\n'));
        assert!(!page.contains(['\u{202e}', '\u{2066}', '\u{200f}', '\u{feff}']));
        assert!(!page.lines().any(|line| line.trim_start() == "native: S1 is earned"));
    }
}

#[test]
fn hostile_names_of_a_foreign_folder_are_harmless_too() {
    for words in worst() {
        let mut verdict = sample::mixed();
        let backend = &mut verdict.backends[0];
        backend.name.clone_from(&words);
        backend.mechanism = Some(words.clone());
        backend.cells.iter_mut().for_each(|cell| cell.escape.clone_from(&words));
        backend.useful.iter_mut().for_each(|case| case.case.clone_from(&words));
        backend.hook.hook_blind.insert(words.clone());
        backend.residue[0].reason.clone_from(&words);
        backend.stands_in_the_way[0].subject.clone_from(&words);
        let records = sample::records(&verdict, &words);
        let report = parsed(&junit_of(&verdict, &records));
        let cases: usize = report.test_suites.iter().map(|suite| suite.test_cases.len()).sum();
        assert_eq!(cases, planned(&verdict).iter().map(|(_, count)| count).sum::<usize>());
        let page = terminal::render(&verdict, &records, Colour::Off);
        assert!(!page.chars().any(|character| character.is_control() && character != '\n'));
        let value: serde_json::Value = serde_json::from_slice(&json::render(&verdict)).unwrap();
        assert_eq!(value["backends"][0]["name"], words);
        assert_eq!(value["backends"][0]["cells"].as_array().unwrap().len(), 18);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn junit_is_well_formed_whatever_is_said(words in "(\\PC|\\pC|]|>|<|&|\"){0,40}") {
        check_junit(&sample::mixed(), &words);
    }
}
