//! The catalogue against the list of known techniques: each is tried, or its reason stands in the
//! documentation; those against hosts have a test there.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The families of techniques that are complete: each is tried or said not to be.
const COMPLETE: [&str; 11] = ["FR", "FM", "FW", "EX", "NT", "IP", "KP", "SC", "PY", "RA", "HV"];

/// The families of techniques against a host instead of a sandbox: each is turned against this one by a test.
const AGAINST_HOSTS: [&str; 3] = ["TC", "SL", "HT"];

fn family(technique: &str) -> &str {
    technique.split_once('-').map_or(technique, |(family, _)| family)
}

/// Every technique with what it is.
fn techniques() -> BTreeMap<String, String> {
    let path = package().join("techniques.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let groups: BTreeMap<String, BTreeMap<String, String>> = toml::from_str(&text).unwrap();
    let number = groups.values().map(BTreeMap::len).sum::<usize>();
    let techniques: BTreeMap<String, String> = groups.into_values().flatten().collect();
    assert_eq!(techniques.len(), number, "a technique stands twice");
    techniques
}

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn root() -> PathBuf {
    package().parent().unwrap().to_owned()
}

fn not_tested() -> String {
    std::fs::read_to_string(root().join("docs/not-tested.md")).unwrap()
}

/// The techniques of the table, each with the rest of its line.
fn excused(text: &str) -> BTreeMap<&str, &str> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let excused: BTreeMap<&str, &str> = rows.clone().collect();
    assert_eq!(excused.len(), rows.count(), "a technique is excused twice");
    excused
}

/// Every other part of a text stands between its quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// What the threat model says of techniques against hosts: the tests of each.
fn tested(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut tested = BTreeMap::new();
    for row in text.lines().filter_map(|line| line.strip_prefix("| ")) {
        let Some((techniques, rest)) = row.split_once(" | ") else { continue };
        let is_one = |word: &&str| AGAINST_HOSTS.contains(&family(word)) && word.contains('-');
        for technique in quoted(techniques).filter(is_one) {
            let tests: Vec<&str> = quoted(rest).filter(|word| word.contains('#')).collect();
            assert_eq!(tested.insert(technique, tests), None, "{technique} stands in two rows");
        }
    }
    tested
}

#[test]
fn every_technique_against_a_host_has_a_test_that_names_it() {
    let text = std::fs::read_to_string(root().join("docs/threat-model.md")).unwrap();
    let tested = tested(&text);
    let known: BTreeSet<String> = techniques().into_keys().collect();
    let against = |technique: &&String| AGAINST_HOSTS.contains(&family(technique));
    let without = known.iter().filter(against).find(|known| !tested.contains_key(known.as_str()));
    assert_eq!(without, None, "it has no row in docs/threat-model.md");
    for (technique, tests) in &tested {
        assert!(known.contains(*technique), "{technique} is not in techniques.toml");
        assert!(!tests.is_empty(), "{technique} has a row without a test");
        for word in tests {
            let (file, test) = word.split_once('#').unwrap();
            let file = file
                .strip_prefix("T/")
                .map_or(file.into(), |file| format!("backends/tests/{file}"));
            let source = std::fs::read_to_string(root().join(file)).unwrap();
            let is_there = [format!("fn {test}("), format!("\"{test}\"")];
            assert!(is_there.iter().any(|test| source.contains(test)), "{word} is no test");
            assert!(source.contains(*technique), "{word} does not name {technique}");
        }
    }
    for family in AGAINST_HOSTS {
        assert!(known.iter().any(|known| self::family(known) == family), "{family} is no family");
    }
}

#[test]
fn every_technique_is_tried_or_its_absence_explained_and_never_both() {
    let text = not_tested();
    let excused = excused(&text);
    let tried: BTreeSet<&str> =
        escapes::all().iter().flat_map(|escape| escape.techniques.iter().copied()).collect();
    let known = techniques();
    for (technique, description) in &known {
        assert!(!description.is_empty() && !description.ends_with('.'), "{technique}");
        let (tried, excused) =
            (tried.contains(technique.as_str()), excused.contains_key(technique.as_str()));
        assert!(!(tried && excused), "{technique} is tried, and excused in docs/not-tested.md");
        if COMPLETE.contains(&family(technique)) {
            assert!(tried || excused, "{technique} is neither tried nor in docs/not-tested.md");
        }
    }
    for technique in excused.keys() {
        assert!(known.contains_key(*technique), "{technique} is excused and not known");
    }
    let families: BTreeSet<&str> = known.keys().map(|technique| family(technique)).collect();
    for technique in tried.iter().filter(|technique| families.contains(family(technique))) {
        assert!(known.contains_key(*technique), "{technique} is tried and not in techniques.toml");
    }
    for complete in COMPLETE {
        assert!(families.contains(complete), "{complete} is no family");
    }
}

#[test]
fn every_test_and_escape_that_stands_for_an_untried_technique_exists() {
    let text = not_tested();
    for (technique, reason) in excused(&text) {
        let stands = reason.matches('`').count() >= 2;
        assert!(reason.len() > 80 && stands, "{technique}: nothing stands for it");
    }
    let ids: BTreeSet<&str> = escapes::all().iter().map(|escape| escape.id).collect();
    let families: BTreeSet<&str> = escapes::all().iter().map(|escape| escape.family()).collect();
    let (mut tests, mut named) = (0, 0);
    for word in quoted(&text) {
        if let Some((file, test)) = word.split_once('#') {
            let source = std::fs::read_to_string(root().join(file)).unwrap();
            assert!(source.contains(&format!("fn {test}(")), "{word} is no test");
            tests += 1;
        } else if word.split_once('/').is_some_and(|(family, _)| families.contains(family)) {
            assert!(ids.contains(word), "{word} is no escape");
            named += 1;
        }
    }
    assert!(tests > 0 && named > 0);
}
