//! The list, the files and the ids of the catalogue are equal.

#![cfg_attr(
    target_os = "linux",
    expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")
)]

use std::collections::BTreeSet;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;

#[cfg(target_os = "linux")]
fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[cfg(target_os = "linux")]
fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn every_file_of_a_family_is_listed_or_used_by_one_that_is() {
    let listed: BTreeSet<(String, String)> = escapes::sources()
        .into_iter()
        .map(|(family, file, _)| (family.to_owned(), file.to_owned()))
        .collect();
    for (family, _) in &listed {
        let module = std::fs::read_to_string(source().join(family).join("mod.rs")).unwrap();
        for entry in std::fs::read_dir(source().join(family)).unwrap() {
            let path = entry.unwrap().path();
            let is_source = path.extension().is_some_and(|extension| extension == "rs");
            if !is_source || stem(&path) == "mod" || listed.contains(&(family.clone(), stem(&path)))
            {
                continue;
            }
            let name = stem(&path);
            let helper =
                module.lines().any(|line| line.trim_start().contains(&format!("mod {name};")));
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(helper && !text.contains("const ESCAPES"), "{path:?} is not in the list");
        }
    }
}

#[test]
fn every_id_is_the_path_of_its_file_and_stands_once() {
    let mut seen = BTreeSet::new();
    for (family, file, id) in escapes::sources() {
        let path = id.split_once('.').map_or(id, |(path, _)| path).replace('-', "_");
        assert_eq!(path, format!("{family}/{file}"), "{id}");
        assert!(seen.insert(id), "{id} stands twice");
    }
}

#[test]
fn every_escape_says_what_it_must() {
    for escape in escapes::all() {
        assert!(!escape.summary.is_empty() && !escape.summary.ends_with('.'), "{}", escape.id);
        assert!(!escape.techniques.is_empty(), "{}: no technique", escape.id);
        assert!(!escape.references.is_empty(), "{}: no reference", escape.id);
        assert!(escape.native.is_some() || escape.python.is_some(), "{}: no form", escape.id);
        let allowed = escape.bar == harness::escape::Bar::Residue;
        assert!(allowed || !escape.stops.is_empty(), "{}: nobody stops it", escape.id);
        for rule in escape.witnesses {
            assert!(rule.contains('/'), "{}: {rule} is no rule", escape.id);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_witness_names_a_rule_that_has_a_mutant() {
    let rules = backends::mutant::rule_names().unwrap();
    for escape in escapes::all() {
        let unknown: Vec<_> =
            escape.witnesses.iter().filter(|rule| !rules.contains(**rule)).collect();
        assert!(unknown.is_empty(), "{}: nobody mutates {unknown:?}", escape.id);
        let once: BTreeSet<_> = escape.witnesses.iter().collect();
        assert_eq!(once.len(), escape.witnesses.len(), "{}: a rule stands twice", escape.id);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_reason_of_the_gate_is_one_for_something_that_exists_and_stands_once() {
    let rules = backends::mutant::rule_names().unwrap();
    let ids: BTreeSet<&str> = escapes::all().iter().map(|escape| escape.id).collect();
    let reasons = escapes::mutation::REASONS;
    for (mutant, reason) in reasons.mutants {
        let rule = mutant.split(' ').next().unwrap();
        assert!(rules.contains(rule), "{mutant}: there is no such rule");
        assert!(reason.len() > 30, "{mutant}: {reason:?} explains nothing");
    }
    for (escape, reason) in reasons.idle {
        assert!(ids.contains(escape), "{escape}: there is no such escape");
        assert!(reason.len() > 30, "{escape}: {reason:?} explains nothing");
    }
    for table in [reasons.mutants, reasons.idle] {
        let once: BTreeSet<_> = table.iter().map(|(name, _)| name).collect();
        assert_eq!(once.len(), table.len(), "a row stands twice");
    }
    // A table of reasons that grows is a bin: whoever adds a row raises this number, and is asked why.
    assert_eq!((reasons.mutants.len(), reasons.idle.len()), (102, 18));
}

#[test]
fn useful_work_has_ids_of_its_own() {
    let ids: BTreeSet<&str> = escapes::useful::all().iter().map(|work| work.id).collect();
    assert_eq!(ids.len(), escapes::useful::all().len());
    assert!(ids.len() >= if cfg!(target_os = "linux") { 20 } else { 10 });
}

#[cfg(target_os = "linux")]
#[test]
fn what_native_declares_not_to_hold_is_what_s1_allows() {
    use backends::backend::Backend;
    use harness::escape::Bar;
    let profile = backends::native::native().profile();
    let declared = |id: &str| profile.gap(id).is_some();
    assert!(declared("metadata/stat") && !declared("fs-read/open"));
    for escape in escapes::all() {
        assert_eq!(declared(escape.id), escape.bar == Bar::Residue, "{}", escape.id);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_page_of_escapes_is_the_list() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/escapes.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let list = escapes::table::page(&escapes::all());
    let differs = page.lines().zip(list.lines()).find(|(page, list)| page != list);
    assert!(page == list, "docs/escapes.md is not current, run ci/escapes-table: {differs:?}");
    for escape in escapes::all() {
        assert!(page.contains(&format!("| `{}` |", escape.id)), "{}", escape.id);
    }
}

/// Whoever adds an escape begins with a copy of it.
#[test]
fn the_escape_that_contributing_shows_is_the_whole_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../CONTRIBUTING.md")).unwrap();
    let file = std::fs::read_to_string(root.join("src/fs_read/open.rs")).unwrap();
    assert!(page.contains(&format!("```rust\n{file}```\n")), "it shows another file");
}

/// A function's address differs from run to run, and with it would the digest of the catalogue.
#[test]
fn no_decoy_is_described_by_an_address() {
    assert!(
        format!("{:?}", no_decoy_is_described_by_an_address as fn()).contains("0x"),
        "the control: an address shows"
    );
    for escape in escapes::all() {
        let described = format!("{:?} {:?} {:?}", escape.decoys, escape.needs, escape.twin);
        assert!(!described.contains("0x"), "{}: {described}", escape.id);
    }
}
