//! Which escapes macOS builds, read from the sources: each has a form there, does not exist there, or says
//! why it is only a question to the evaluator.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use escapes::seatbelt::forms::{INSTEAD, QUESTION_ONLY, fits};
use escapes::seatbelt::questions::{Question, question};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The files that a family lists for macOS.
fn listed(family: &str) -> Vec<String> {
    let module = std::fs::read_to_string(source().join(family).join("mod.rs")).unwrap();
    let list = module.split_once("macos! {").unwrap().1.split_once('}').unwrap().0;
    list.split(',').map(|file| file.trim().to_owned()).filter(|file| !file.is_empty()).collect()
}

/// The escapes of a file that are marked as Linux's, by the line above each.
fn of_linux(family: &str, file: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(source().join(family).join(format!("{file}.rs"))).unwrap();
    let (family, file) = (family.replace('_', "-"), file.replace('_', "-"));
    let mut marked = false;
    let mut pending = false;
    let mut found = BTreeSet::new();
    for line in text.lines().map(str::trim) {
        if line == "Escape {" || line.starts_with("by!(") {
            pending = marked;
        }
        let id = line.strip_prefix("id: \"").map(|rest| rest.split('"').next().unwrap().to_owned());
        // One act by one way, whose id the macro completes.
        let short = line.strip_prefix("by!(").unwrap_or(line).strip_prefix('"');
        let by = short.map(|rest| format!("{family}/{file}.{}", rest.split('"').next().unwrap()));
        if let Some(id) = id.or(by).filter(|_| pending) {
            found.insert(id);
            pending = false;
        }
        marked = line == "#[cfg(target_os = \"linux\")]";
    }
    found
}

/// The escapes of the Linux catalogue that macOS builds.
fn built() -> BTreeSet<&'static str> {
    let mut built = BTreeSet::new();
    for (family, file, id) in escapes::sources() {
        let there = listed(family).iter().any(|listed| listed == file);
        if there && !of_linux(family, file).contains(id) {
            built.insert(id);
        }
    }
    built
}

#[test]
fn every_escape_of_the_catalogue_has_a_form_on_macos_or_a_reason() {
    let built = built();
    let (mut absent, mut instead, mut only) = (0, 0, 0);
    let mut used = BTreeSet::new();
    let mut without = Vec::new();
    for id in escapes::all().into_iter().map(|escape| escape.id) {
        let reasons = QUESTION_ONLY.iter().filter(|(pattern, _)| fits(pattern, id));
        let forms = INSTEAD.iter().filter(|(pattern, _)| fits(pattern, id));
        let found: Vec<&str> = reasons.chain(forms).map(|(pattern, _)| *pattern).collect();
        if built.contains(id) {
            let exact = found.iter().find(|pattern| !pattern.contains('*'));
            assert!(exact.is_none(), "{id} has a form on macOS, and a reason for none: {exact:?}");
            let asked = question(id).unwrap();
            assert!(!matches!(asked, Question::Absent(_)), "{id} is built and does not exist");
        } else if matches!(question(id), Some(Question::Absent(_))) {
            absent += 1;
        } else if found.is_empty() {
            without.push(id);
        } else {
            let other = INSTEAD.iter().any(|(pattern, _)| fits(pattern, id));
            instead += usize::from(other);
            only += usize::from(!other);
            used.extend(found);
        }
    }
    assert!(without.is_empty(), "no form on macOS and no reason: {without:?}");
    for (pattern, _) in QUESTION_ONLY.iter().chain(INSTEAD) {
        assert!(used.contains(pattern), "{pattern} is no escape without a form");
    }
    let page = std::fs::read_to_string(source().join("../../docs/macos.md")).unwrap();
    for (count, words) in [
        (built.len(), "built as they are or with a call of macOS"),
        (instead, "done by an escape of the family `macos`"),
        (only, "only a question to the evaluator"),
        (absent, "of Linux alone"),
        (escapes::all().len(), "all"),
    ] {
        println!("{count:>4} {words}");
        let row = format!("| {words} | {count} |");
        assert!(page.contains(&row), "docs/macos.md does not say {row}");
    }
}

#[test]
fn every_form_that_stands_instead_is_an_escape_of_the_family_macos() {
    let files = listed("macos");
    for (pattern, form) in INSTEAD {
        let file =
            form.strip_prefix("macos/").unwrap().split('.').next().unwrap().replace('-', "_");
        assert!(files.contains(&file), "{pattern}: {form}");
        assert!(question(form).is_some(), "{form}");
    }
}

#[test]
fn what_the_profile_denies_on_macos_names_seatbelt_among_its_layers() {
    let profile = escapes::seatbelt::scenario::NATIVE.evaluator().unwrap();
    let built = built();
    for escape in escapes::all().into_iter().filter(|escape| built.contains(escape.id)) {
        use escapes::seatbelt::questions::Answer;
        let denied =
            matches!(question(escape.id).unwrap().ask(&profile).unwrap(), Answer::Denied { .. });
        let named = escape.stops.contains(&harness::escape::Layer::Seatbelt);
        assert!(named || !denied, "{}", escape.id);
    }
}
