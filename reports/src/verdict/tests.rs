use super::*;
use crate::record::{Bar, Doubt, EffectKind, Landlock, Outcome, User};
use serde_json::Value;

fn host() -> HostFacts {
    HostFacts {
        system: "linux".to_owned(),
        kernel: "6.18.44".to_owned(),
        architecture: "x86_64".to_owned(),
        landlock: Landlock { abi: 7, errata: 3 },
        seccomp_actions: BTreeSet::from(["errno".to_owned(), "allow".to_owned()]),
        security_modules: None,
        user_namespaces: Some(true),
        uid: 0,
        user: User::Root,
        capabilities: "00".to_owned(),
    }
}

fn cell(outcome: Outcome) -> JudgedCell {
    JudgedCell {
        escape: "fs-read/open".to_owned(),
        runtime: Runtime::Native,
        hook: false,
        bar: Bar::S1,
        outcome,
    }
}

/// Demands that the keys of every object are sorted, in the text itself and not after parsing.
fn keys_in_order(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(colon) = rest.find("\":") {
        keys.push(rest[..colon].rsplit('"').next().unwrap().to_owned());
        rest = &rest[colon + 2..];
    }
    keys
}

#[test]
fn the_facts_of_a_host_have_one_byte_form() {
    let bytes = String::from_utf8(canonical(&host())).unwrap();
    assert_eq!(
        bytes,
        "{\"architecture\":\"x86_64\",\"capabilities\":\"00\",\"kernel\":\"6.18.44\",\
         \"landlock\":{\"abi\":7,\"errata\":3},\"seccomp_actions\":[\"allow\",\"errno\"],\
         \"security_modules\":null,\"system\":\"linux\",\"uid\":0,\"user\":\"root\",\"user_namespaces\":true}"
    );
}

#[test]
fn the_digest_of_a_host_is_that_of_its_bytes_and_changes_with_each_fact() {
    let digest = host_digest(&host());
    assert_eq!(digest, hex::encode(Sha256::digest(canonical(&host()))));
    let changes: [fn(&mut HostFacts); 6] = [
        |host| host.kernel = "6.18.45".to_owned(),
        |host| host.landlock.errata = 0,
        |host| host.user_namespaces = None,
        |host| host.uid = 1000,
        |host| host.user = User::InUserNamespace,
        |host| host.capabilities.clear(),
    ];
    for change in changes {
        let mut changed = host();
        change(&mut changed);
        assert_ne!(host_digest(&changed), digest);
    }
}

#[test]
fn a_cell_is_one_flat_object_with_sorted_keys() {
    let evidence = BTreeSet::from([EffectKind::Contacted, EffectKind::TokenLeaked]);
    let bytes = String::from_utf8(canonical(&cell(Outcome::Escaped { evidence }))).unwrap();
    assert_eq!(
        bytes,
        "{\"bar\":\"s1\",\"escape\":\"fs-read/open\",\"evidence\":[\"token-leaked\",\
         \"contacted\"],\"hook\":false,\"outcome\":\"escaped\",\"runtime\":\"native\"}"
    );
    assert_eq!(keys_in_order(&bytes), ["bar", "escape", "evidence", "hook", "outcome", "runtime"]);
}

#[test]
fn the_words_of_the_code_are_the_words_of_the_bytes() {
    for outcome in [
        Outcome::Held { by: String::new() },
        Outcome::Escaped { evidence: BTreeSet::new() },
        Outcome::Residue { reason: String::new(), evidence: BTreeSet::new() },
        Outcome::Stale { reason: String::new() },
        Outcome::NotApplicable { evidence: String::new() },
        Outcome::Inconclusive { why: Doubt::OddAnswer },
    ] {
        let value: Value = serde_json::from_slice(&canonical(&outcome)).unwrap();
        assert_eq!(value["outcome"], outcome.name());
    }
    for why in [Doubt::NoRecord, Doubt::ControlWithoutEffect, Doubt::OddFinish, Doubt::TwinAfter] {
        assert_eq!(serde_json::json!(why), why.name());
    }
    for why in [Why::NothingHeld, Why::NoMechanism, Why::Unprotected, Why::Filtered] {
        assert_eq!(serde_json::json!(why), why.name());
    }
    for kind in [EffectKind::TreeChanged, EffectKind::ObjectHeld, EffectKind::VictimChanged] {
        assert_eq!(serde_json::json!(kind), kind.name());
    }
}

#[test]
fn every_outcome_is_counted_once() {
    let outcomes = [
        Outcome::Held { by: String::new() },
        Outcome::Held { by: String::new() },
        Outcome::Stale { reason: String::new() },
        Outcome::Inconclusive { why: Doubt::TimedOut },
    ];
    let counts = Counts::of(&outcomes);
    assert_eq!(counts, Counts { held: 2, stale: 1, inconclusive: 1, ..Counts::default() });
    assert_eq!(counts.named().iter().map(|(_, count)| count).sum::<u32>(), 4);
}
