//! What a gate's reports say, and how a gate ends.

use super::*;
use crate::exit::Exit;

fn row(rule: &str, fate: Fate) -> Row {
    let trial = Trial {
        by: "fs-read/open".to_owned(),
        behind: BTreeSet::new(),
        without: "held".to_owned(),
        with: "escaped".to_owned(),
    };
    Row { rule: rule.to_owned(), change: "dropped".to_owned(), fate, trials: vec![trial] }
}

fn killed() -> Fate {
    Fate::Killed { by: "fs-read/open".to_owned() }
}

fn masked() -> Fate {
    let behind = BTreeSet::from(["seccomp/kill".to_owned()]);
    Fate::Masked { by: "process/kill".to_owned(), behind }
}

fn matrix(fates: impl IntoIterator<Item = Fate>) -> Matrix {
    let rows = fates.into_iter().enumerate().map(|(n, fate)| row(&format!("layer/{n}"), fate));
    Matrix { host: "linux/6 x86_64".to_owned(), rows: rows.collect(), ..Matrix::default() }
}

fn mixed() -> Matrix {
    let mut matrix = matrix([
        killed(),
        masked(),
        Fate::Equivalent,
        Fate::Absent { evidence: "ENOSYS".to_owned() },
        Fate::Justified { reason: "harmless | really".to_owned() },
        Fate::Survived,
    ]);
    matrix.idle.insert("a/b".to_owned(), Some("stays".to_owned()));
    matrix.idle.insert("a/c".to_owned(), None);
    matrix.unusable.insert("a/d".to_owned(), "inconclusive: timed-out".to_owned());
    matrix.stale.insert("layer/9 dropped".to_owned());
    matrix
}

#[test]
fn a_gate_is_passed_when_everything_is_killed_masked_or_explained() {
    assert_eq!(matrix([killed(), masked(), Fate::Equivalent]).exit(), Exit::Earned);
}

#[test]
fn a_survivor_an_idle_escape_and_a_stale_reason_fail_the_gate() {
    assert_eq!(matrix([killed(), Fate::Survived]).exit(), Exit::NotEarned);
    let mut idle = matrix([killed()]);
    idle.idle.insert("a/b".to_owned(), Some("a reason".to_owned()));
    assert_eq!(idle.exit(), Exit::Earned);
    idle.idle.insert("a/c".to_owned(), None);
    assert_eq!(idle.exit(), Exit::NotEarned);
    let mut stale = matrix([killed()]);
    stale.stale.insert("layer/9".to_owned());
    assert_eq!(stale.exit(), Exit::NotEarned);
}

#[test]
fn a_gate_that_kills_nothing_or_has_broken_instruments_shows_nothing() {
    assert_eq!(matrix([]).exit(), Exit::Inconclusive);
    assert_eq!(matrix([masked()]).exit(), Exit::Inconclusive);
    let mut broken = matrix([killed()]);
    broken.unusable.insert("a/d".to_owned(), "inconclusive".to_owned());
    assert_eq!(broken.exit(), Exit::Inconclusive);
}

#[test]
fn a_matrix_survives_its_own_json() {
    let text = mixed().json().unwrap();
    assert_eq!(serde_json::from_str::<Matrix>(&text).unwrap(), mixed());
    assert_eq!(text.lines().count(), mixed().rows.len() + 2);
}

#[test]
fn every_mutant_is_a_case_of_junit_and_its_fate_decides_which() {
    let bytes = String::from_utf8(junit::render(&mixed()).unwrap()).unwrap();
    let report = crate::hostile::parsed(&bytes);
    let cases: Vec<_> = report.test_suites.iter().flat_map(|suite| &suite.test_cases).collect();
    // Six mutants, one idle escape without a reason, one unusable, one stale reason.
    assert_eq!(cases.len(), 9);
    assert_eq!(report.test_suites.iter().map(|suite| suite.failures).sum::<usize>(), 3);
    assert_eq!(report.test_suites.iter().map(|suite| suite.errors).sum::<usize>(), 1);
    assert_eq!(report.test_suites.iter().map(|suite| suite.disabled).sum::<usize>(), 0);
}

#[test]
fn hostile_names_stand_as_text() {
    let mut hostile = mixed();
    hostile.rows[0].change = "]]></system-out>\u{1b}[31m|<b>".to_owned();
    let bytes = String::from_utf8(junit::render(&hostile).unwrap()).unwrap();
    assert_eq!(crate::hostile::parsed(&bytes).test_suites.len(), 2);
    let page = page::render(&hostile);
    assert!(!page.contains('\u{1b}') && !page.contains("<b>"));
    assert!(!terminal::render(&hostile).contains('\u{1b}'));
}

#[test]
fn the_page_and_the_summary_name_what_is_open_masked_and_justified() {
    let page = page::render(&mixed());
    for line in [
        "| survived | 1 |",
        "* `layer/5 dropped` survived",
        "* `a/c` is idle",
        "* `layer/4 dropped`: harmless \\| really",
        "| layer/1 dropped | process/kill | seccomp/kill |",
        "| layer/0 dropped | killed | fs-read/open |",
        "* `a/b`: stays",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
    assert!(!page::render(&matrix([killed()])).contains("## Open"));
    let summary = terminal::render(&mixed());
    for line in ["6 mutants", "survived: layer/5 dropped", "idle: a/c", "stale reason: layer/9"] {
        assert!(summary.contains(line), "{line}\n{summary}");
    }
}
