//! The search over a ground that is told what leaks.

use super::*;

/// Searches where each of these labels is seen as a change of the tree.
fn searched(labels: &'static [&'static str], cases: u64) -> (Found, u64) {
    let mut programs_seen = 0;
    let look = |programs: &[Program]| {
        programs_seen += programs.len() as u64;
        let operations = programs.iter().flat_map(|program| &program.0);
        let evidence = operations
            .filter(|operation| labels.contains(&operation.label().as_str()))
            .map(|operation| Evidence {
                kind: EvidenceKind::TreeChanged,
                detail: operation.to_string(),
            })
            .collect();
        Ok(Seen { evidence, ..Seen::default() })
    };
    let bounds = Bounds { seed: 1, cases, time: None };
    let (begun, known) = (Instant::now(), BTreeSet::new());
    let mut hunt = Hunt { begun, bounds, look, known, found: Found::default() };
    hunt.run(|_found| ()).unwrap();
    let found = hunt.found;
    (found, programs_seen)
}

#[test]
fn every_hole_is_found_once_and_is_one_operation_long() {
    let labels = &["unlinkat file file", "kill stop victim", "clone child", "connect tcp4"];
    let (found, _) = searched(labels, 2_000);
    let mut holes: Vec<&str> = found.holes.iter().map(|hole| hole.label.as_str()).collect();
    holes.sort_unstable();
    let mut expected = labels.to_vec();
    expected.sort_unstable();
    assert_eq!(holes, expected);
    assert!(found.holes.iter().all(|hole| hole.program.0.len() == 1 && hole.repeated));
    assert_eq!(found.cases, 2_000);
}

#[test]
fn where_nothing_leaks_every_program_is_tried_once_in_few_worlds() {
    let (found, programs) = searched(&[], 1_000);
    assert_eq!((found.holes.len(), programs), (0, 1_000));
    assert!(found.worlds <= 20, "{}", found.worlds);
}

#[test]
fn what_is_seen_once_and_never_again_is_a_finding_too() {
    let mut looks = 0;
    let look = |_programs: &[Program]| {
        looks += 1;
        let evidence = Evidence { kind: EvidenceKind::TokenLeaked, detail: "once".to_owned() };
        Ok(Seen {
            evidence: (looks == 1).then_some(evidence).into_iter().collect(),
            ..Seen::default()
        })
    };
    let bounds = Bounds { seed: 1, cases: 20, time: None };
    let (begun, known) = (Instant::now(), BTreeSet::new());
    let mut hunt = Hunt { begun, bounds, look, known, found: Found::default() };
    hunt.run(|_found| ()).unwrap();
    assert_eq!(hunt.found.holes.len(), 1);
    assert!(!hunt.found.holes[0].repeated);
}
