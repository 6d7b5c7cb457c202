//! `junit.xml`, for the systems that read nothing else. One suite for each backend and column, one
//! for its useful work. Names come from ids alone, everything else is made harmless, and the clock
//! stands at the epoch, since the same records give the same bytes.
//!
//! | outcome | JUnit |
//! |---|---|
//! | held | success |
//! | residue | success with a note |
//! | escaped | failure of type `escape` |
//! | stale | failure of type `stale` |
//! | not applicable, of useful work too | skipped, with the evidence |
//! | inconclusive | error of type `inconclusive` |

use crate::details::{Details, headline};
use crate::record::{Column, Flaw, Outcome, Record, UsefulOutcome};
use crate::text;
use crate::verdict::{BackendVerdict, JudgedCell, JudgedUse, Verdict};
use junit_report::{
    Duration, OffsetDateTime, Report, TestCase, TestCaseBuilder, TestSuite, TestSuiteBuilder,
};
use std::collections::BTreeMap;

/// The report could not be written as XML.
#[derive(Debug, thiserror::Error)]
#[error("write the JUnit report: {0}")]
pub struct JunitError(#[from] junit_report::Error);

/// The contents of the file.
///
/// # Errors
/// When the library cannot write the report.
pub fn render(verdict: &Verdict, records: &[Record]) -> Result<Vec<u8>, JunitError> {
    let details = Details::of(records);
    let mut report = Report::new();
    for backend in &verdict.backends {
        report.add_testsuites(suites(backend, &details));
    }
    let mut bytes = Vec::new();
    report.write_xml(&mut bytes)?;
    Ok(bytes)
}

fn suites(backend: &BackendVerdict, details: &Details<'_>) -> Vec<TestSuite> {
    let name = text::line(&backend.name);
    let mut cases: BTreeMap<String, Vec<TestCase>> = BTreeMap::new();
    if !backend.available {
        let why = details.unavailable(&backend.name).unwrap_or_default();
        let case = TestCase::error("available", Duration::ZERO, "unavailable", &why);
        cases.entry(name.clone()).or_default().push(with_class(case, &name));
    }
    for cell in &backend.cells {
        let column = Column { runtime: cell.runtime, hook: cell.hook };
        let case = with_class(cell_case(backend, cell, details), &format!("{name}.{column}"));
        cases.entry(format!("{name}/{column}")).or_default().push(case);
    }
    for work in &backend.useful {
        let column = Column { runtime: work.runtime, hook: work.hook };
        let class = format!("{name}.{column}.useful-work");
        let case = with_class(useful_case(backend, work, details), &class);
        cases.entry(format!("{name}/useful-work")).or_default().push(case);
    }
    let summary = summary(backend);
    let suite = |(name, cases): (String, Vec<TestCase>)| {
        TestSuiteBuilder::new(&name)
            .set_timestamp(OffsetDateTime::UNIX_EPOCH)
            .add_testcases(cases)
            .set_system_out(&summary)
            .build()
    };
    cases.into_iter().map(suite).collect()
}

fn with_class(mut case: TestCase, class: &str) -> TestCase {
    case.set_classname(class);
    case
}

fn cell_case(backend: &BackendVerdict, cell: &JudgedCell, details: &Details<'_>) -> TestCase {
    let name = text::line(&cell.escape);
    let message = headline(&cell.outcome);
    // GitLab shows the text of a failure and not its message, so the message stands in both.
    let told = || {
        let mut lines = vec![message.clone()];
        lines.extend(details.cell(&backend.name, cell));
        text::block(&lines.join("\n"))
    };
    let failure = |kind| {
        TestCaseBuilder::failure(&name, Duration::ZERO, kind, &message).set_trace(&told()).build()
    };
    match cell.outcome {
        Outcome::Held { .. } => TestCase::success(&name, Duration::ZERO),
        Outcome::Residue { .. } => {
            TestCaseBuilder::success(&name, Duration::ZERO).set_system_out(&told()).build()
        }
        Outcome::Escaped { .. } => failure("escape"),
        Outcome::Stale { .. } => failure("stale"),
        Outcome::NotApplicable { .. } => {
            TestCase::skipped_with_cause(&name, "not-applicable", &message)
        }
        Outcome::Inconclusive { .. } => {
            TestCaseBuilder::error(&name, Duration::ZERO, "inconclusive", &message)
                .set_trace(&told())
                .build()
        }
    }
}

fn useful_case(backend: &BackendVerdict, work: &JudgedUse, details: &Details<'_>) -> TestCase {
    let name = text::line(&work.case);
    let flaw = work.outcome.flaw().map_or("", Flaw::name);
    let message = match &work.outcome {
        UsefulOutcome::NotApplicable { evidence } => {
            text::line(&format!("not-applicable: {evidence}"))
        }
        outcome @ (UsefulOutcome::Works
        | UsefulOutcome::Broken { .. }
        | UsefulOutcome::Inconclusive { .. }) => format!("{}: {flaw}", outcome.name()),
    };
    let told = || {
        let mut lines = vec![message.clone()];
        lines.extend(details.useful(&backend.name, work));
        text::block(&lines.join("\n"))
    };
    match work.outcome {
        UsefulOutcome::Works => TestCase::success(&name, Duration::ZERO),
        UsefulOutcome::NotApplicable { .. } => {
            TestCase::skipped_with_cause(&name, "not-applicable", &message)
        }
        UsefulOutcome::Broken { .. } => {
            TestCaseBuilder::failure(&name, Duration::ZERO, "over-denial", &message)
                .set_trace(&told())
                .build()
        }
        UsefulOutcome::Inconclusive { .. } => {
            TestCaseBuilder::error(&name, Duration::ZERO, "inconclusive", &message)
                .set_trace(&told())
                .build()
        }
    }
}

/// What the whole backend is worth, since JUnit has no place for it.
fn summary(backend: &BackendVerdict) -> String {
    let tier = backend.tier.map_or_else(|| "not judged".to_owned(), |tier| tier.to_string());
    let mechanism = backend.mechanism.as_deref().unwrap_or("none");
    let mut lines = vec![format!("tier: {tier}"), format!("mechanism: {}", text::line(mechanism))];
    for name in &backend.kept_limits.exceeded {
        lines.push(format!("limit exceeded: {}", text::line(name)));
    }
    for obstacle in &backend.stands_in_the_way {
        let subject = text::line(&obstacle.subject);
        lines.push(format!("stands in the way: {subject}: {}", obstacle.why.name()));
    }
    text::block(&lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use quick_junit::{NonSuccessKind, TestCaseStatus};

    fn text(verdict: &Verdict) -> String {
        String::from_utf8(render(verdict, &sample::records(verdict, "words")).unwrap()).unwrap()
    }

    /// The kind, the type and the message of each case of the first column.
    fn told(verdict: &Verdict) -> Vec<(String, String, String)> {
        let report = crate::hostile::parsed(&text(verdict));
        let suite = report.test_suites.iter().find(|suite| suite.name.as_str() == "native/native");
        let cases = &suite.unwrap().test_cases;
        cases
            .iter()
            .map(|case| (case.name.to_string(), kind(&case.status), message(&case.status)))
            .collect()
    }

    fn kind(status: &TestCaseStatus) -> String {
        match status {
            TestCaseStatus::Success { .. } => "success".to_owned(),
            TestCaseStatus::Skipped { ty, .. } => {
                format!("skipped {}", ty.as_ref().unwrap().as_str())
            }
            TestCaseStatus::NonSuccess { kind, ty, .. } => {
                let word = match kind {
                    NonSuccessKind::Failure => "failure",
                    NonSuccessKind::Error => "error",
                };
                format!("{word} {}", ty.as_ref().unwrap().as_str())
            }
        }
    }

    fn message(status: &TestCaseStatus) -> String {
        match status {
            TestCaseStatus::Success { .. } => String::new(),
            TestCaseStatus::Skipped { message, .. }
            | TestCaseStatus::NonSuccess { message, .. } => message.as_ref().unwrap().to_string(),
        }
    }

    #[test]
    fn every_outcome_has_its_kind_of_result() {
        let expected = [
            ("fs-read/held", "success", ""),
            ("fs-read/escaped", "failure escape", "escaped: token-leaked, tree-changed"),
            ("fs-read/residue", "success", ""),
            ("fs-read/stale", "failure stale", "stale: old kernel"),
            (
                "fs-read/not-applicable",
                "skipped not-applicable",
                "not-applicable: the control ended with ENOSYS",
            ),
            ("fs-read/inconclusive", "error inconclusive", "inconclusive: twin-after"),
        ];
        let expected =
            expected.map(|(name, kind, told)| (name.to_owned(), kind.to_owned(), told.to_owned()));
        assert_eq!(told(&sample::mixed()), expected);
    }

    #[test]
    fn a_column_is_a_suite_and_its_cases_are_named_by_ids() {
        let report = crate::hostile::parsed(&text(&sample::mixed()));
        let names: Vec<_> = report.test_suites.iter().map(|suite| suite.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "native/native",
                "native/python",
                "native/python+hook",
                "native/useful-work",
                "wrapped"
            ]
        );
        let classes: Vec<_> = report
            .test_suites
            .iter()
            .map(|suite| suite.test_cases[0].classname.as_ref().unwrap().as_str())
            .collect();
        assert_eq!(
            classes,
            [
                "native.native",
                "native.python",
                "native.python+hook",
                "native.native.useful-work",
                "wrapped"
            ]
        );
        let useful: Vec<_> =
            report.test_suites[3].test_cases.iter().map(|case| kind(&case.status)).collect();
        assert_eq!(useful, ["success", "failure over-denial", "error inconclusive"]);
    }

    #[test]
    fn useful_work_that_the_host_lacks_is_skipped_with_the_evidence() {
        let mut verdict = sample::mixed();
        let evidence = "no module \u{1b}[2Jnumpy".to_owned();
        verdict.backends[0].useful[0].outcome = UsefulOutcome::NotApplicable { evidence };
        let report = crate::hostile::parsed(&text(&verdict));
        let case = &report.test_suites[3].test_cases[0];
        assert_eq!(kind(&case.status), "skipped not-applicable");
        assert_eq!(message(&case.status), "not-applicable: no module \u{fffd}[2Jnumpy");
    }

    #[test]
    fn a_backend_that_is_not_there_is_an_error_with_its_reason() {
        let report = crate::hostile::parsed(&text(&sample::mixed()));
        let cases = &report.test_suites[4].test_cases;
        assert_eq!(cases.len(), 1);
        assert_eq!(kind(&cases[0].status), "error unavailable");
        assert_eq!(message(&cases[0].status), "words");
    }

    #[test]
    fn evidence_and_notes_stand_in_the_text() {
        let text = text(&sample::mixed());
        assert!(text.contains("escaped: token-leaked, tree-changed\ntoken-leaked: words"));
        assert!(text.contains("residue (object-held): no mount namespace"));
        assert!(text.contains("stands in the way: fs-read/escaped: escaped"));
    }

    #[test]
    fn the_same_records_give_the_same_bytes_without_a_clock() {
        let verdict = sample::mixed();
        assert_eq!(text(&verdict), text(&verdict));
        assert!(text(&verdict).contains("timestamp=\"1970-01-01T00:00:00Z\""));
    }
}
