//! `junit.xml` of a gate: one suite a layer, one case a mutant, and one suite for the escapes.
//!
//! | fate | JUnit |
//! |---|---|
//! | killed | success |
//! | masked, justified | success with a note |
//! | survived | failure of type `survived` |
//! | equivalent, absent | skipped, with the reason |

use super::{Fate, Matrix, Row};
use crate::junit::JunitError;
use crate::text;
use junit_report::{
    Duration, OffsetDateTime, Report, TestCase, TestCaseBuilder, TestSuite, TestSuiteBuilder,
};
use std::collections::BTreeMap;

/// The contents of the file.
///
/// # Errors
/// When the library cannot write the report.
pub fn render(matrix: &Matrix) -> Result<Vec<u8>, JunitError> {
    let mut cases: BTreeMap<String, Vec<TestCase>> = BTreeMap::new();
    for row in &matrix.rows {
        let layer = row.rule.split('/').next().unwrap_or_default();
        let name = format!("mutate/{}", text::line(layer));
        let mut case = row_case(row);
        case.set_classname(&name.replace('/', "."));
        cases.entry(name).or_default().push(case);
    }
    let escapes = cases.entry("mutate/escapes".to_owned()).or_default();
    escapes.extend(matrix.unexplained().map(|escape| {
        let name = text::line(escape);
        TestCase::failure(&name, Duration::ZERO, "idle", "kills no mutant, and nobody says why")
    }));
    escapes.extend(matrix.unusable.iter().map(|(escape, why)| {
        TestCase::error(&text::line(escape), Duration::ZERO, "unusable", &text::line(why))
    }));
    escapes.extend(matrix.stale.iter().map(|name| {
        let why = "a reason is given for what needs none";
        TestCase::failure(&text::line(name), Duration::ZERO, "stale", why)
    }));
    escapes.iter_mut().for_each(|case| {
        case.set_classname("mutate.escapes");
    });
    let mut report = Report::new();
    report.add_testsuites(cases.into_iter().map(suite));
    let mut bytes = Vec::new();
    report.write_xml(&mut bytes)?;
    Ok(bytes)
}

fn suite((name, cases): (String, Vec<TestCase>)) -> TestSuite {
    TestSuiteBuilder::new(&name)
        .set_timestamp(OffsetDateTime::UNIX_EPOCH)
        .add_testcases(cases)
        .build()
}

fn row_case(row: &Row) -> TestCase {
    let name = text::line(&row.id());
    let noted = |note: &str| {
        TestCaseBuilder::success(&name, Duration::ZERO).set_system_out(&text::block(note)).build()
    };
    match &row.fate {
        Fate::Killed { .. } => TestCase::success(&name, Duration::ZERO),
        Fate::Masked { by, behind } => {
            let rules: Vec<&str> = behind.iter().map(String::as_str).collect();
            noted(&format!("masked: killed by {by} behind {}", rules.join(", ")))
        }
        Fate::Justified { reason } => noted(&format!("justified: {reason}")),
        Fate::Equivalent => {
            TestCase::skipped_with_cause(&name, "equivalent", "the kernel is told the same")
        }
        Fate::Absent { evidence } => {
            TestCase::skipped_with_cause(&name, "absent", &text::line(evidence))
        }
        Fate::Survived => {
            let trials: Vec<String> = row
                .trials
                .iter()
                .map(|trial| format!("{}: {} -> {}", trial.by, trial.without, trial.with))
                .collect();
            TestCaseBuilder::failure(&name, Duration::ZERO, "survived", "nobody noticed")
                .set_trace(&text::block(&trials.join("\n")))
                .build()
        }
    }
}
