//! Seals: they say exactly what was applied, and a changed one is refused.

use super::*;
use backends::child::Cause;
use backends::policy::Bound;
use backends::running::{Chunk, Progress};
use backends::seal::VerifyError;
use sha2::{Digest, Sha256};

#[test]
fn a_seal_says_what_was_applied_and_its_commitment_is_that_of_the_policy_in_it() {
    let place = Place::new();
    let sealed = Host::default().run_and_seal(&place.cat("granted")).unwrap();
    assert_eq!(sealed.tier(), Tier::S1);
    assert_eq!(sealed.output(), Some(&b"granted"[..]));
    assert_eq!(sealed.ended().exit, Exit::Code(0));
    let release = nix::sys::utsname::uname().unwrap();
    let release = format!("linux/{}", release.release().to_str().unwrap());
    let mechanism = sealed.mechanism().unwrap();
    assert!(mechanism.starts_with("landlock/") && mechanism.ends_with(&release), "{mechanism}");
    assert!(mechanism.contains("+seccomp "), "{mechanism}");

    let record = record(&sealed);
    let policy = &record["policy"];
    let granted = json!({ "kind": "file", "path": place.path("granted") });
    assert!(policy["read"].as_array().unwrap().contains(&granted), "{policy}");
    let mut bytes = b"escapology/policy/v1\n".to_vec();
    bytes.extend(policy.to_string().into_bytes());
    let digest = format!("sha256:{}", hex::encode(Sha256::digest(bytes)));
    assert_eq!(sealed.commitment().unwrap().to_string(), digest);
    assert_eq!(record["commitment"], digest);
    let verified = verify(&sealed.line()).unwrap();
    assert_eq!(verified.commitment.unwrap(), digest);
    assert_eq!(verified.mechanism.unwrap(), mechanism);
}

#[test]
fn two_runs_of_one_unit_share_commitment_and_digest_and_two_units_share_neither() {
    let place = Place::new();
    let host = Host::default();
    let seal = |unit: &Unit| {
        let sealed = host.run_and_seal(unit).unwrap();
        (sealed.commitment().unwrap().to_string(), sealed.unit().to_string())
    };
    let unit = place.cat("granted");
    assert_eq!(seal(&unit), seal(&unit));
    let wider = Unit { grants: unit.grants.clone().read(place.path("secret")), ..unit.clone() };
    let (one, other) = (seal(&unit), seal(&wider));
    assert!(one.0 != other.0 && one.1 != other.1);
}

#[test]
fn every_change_of_a_record_is_refused_and_the_record_itself_is_not() {
    let place = Place::new();
    let sealed = Host::default().run_and_seal(&place.cat("granted")).unwrap();
    let line = sealed.line();
    verify(&line).unwrap();
    let change = |pointer: &str, value: Value| {
        let mut record = record(&sealed);
        *record.pointer_mut(pointer).unwrap() = value;
        verify(format!("{record}\n").as_bytes()).unwrap_err()
    };
    let other = json!("sha256:00");
    assert!(matches!(change("/commitment", other.clone()), VerifyError::Commitment { .. }));
    let wider = json!([{ "kind": "directory", "path": "/etc" }]);
    assert!(matches!(change("/policy/read", wider), VerifyError::Commitment { .. }));
    for granted in ["/policy/network", "/policy/processes"] {
        assert!(matches!(change(granted, json!("all")), VerifyError::Field(_)), "{granted}");
    }
    assert!(matches!(change("/unit/arguments", json!([])), VerifyError::Unit { .. }));
    assert!(matches!(change("/unit_digest", other), VerifyError::Unit { .. }));
    assert!(matches!(change("/stdout_base64", json!("")), VerifyError::Output("stdout")));
    assert!(matches!(change("/schema", json!("another")), VerifyError::Schema));
    // Of the output each part must fit by itself: the same length, or the same digest, is not enough.
    for (pointer, value) in [
        ("/stdout_base64", json!("R3JhbnRlZA==")),
        ("/stdout/bytes", json!(8)),
        ("/stdout/bytes", Value::Null),
        ("/stdout/digest", json!(format!("sha256:{}", hex::encode(Sha256::digest("Granted"))))),
        ("/stdout/digest", Value::Null),
    ] {
        assert!(matches!(change(pointer, value), VerifyError::Output("stdout")), "{pointer}");
    }
    for (pointer, value) in [
        ("/tier", json!("S0")),
        ("/tier", json!("S2")),
        ("/tier", Value::Null),
        ("/mechanism", Value::Null),
        ("/commitment", Value::Null),
        ("/unconfined_because", json!("no reason")),
    ] {
        assert!(matches!(change(pointer, value), VerifyError::Field(_)), "{pointer}");
    }
    let mut grown = record(&sealed);
    grown["note"] = json!("trust me");
    assert!(matches!(verify(grown.to_string().as_bytes()), Err(VerifyError::Field(_))));
    // A second field of one name, which another reader could take for the first.
    let text = String::from_utf8(line.clone()).unwrap();
    let twice = text.replacen('{', r#"{"tier":"S1","#, 1);
    assert!(matches!(verify(twice.as_bytes()), Err(VerifyError::Form)));
    assert!(matches!(verify(&line[..line.len() / 2]), Err(VerifyError::Json(_))));
    assert!(matches!(verify(b"[]"), Err(VerifyError::Schema)));
}

#[test]
fn a_record_whose_policy_writes_what_is_not_granted_is_refused_although_all_digests_fit() {
    let place = Place::new();
    fs::create_dir(place.path("work")).unwrap();
    let unit =
        place.shell("true", Grants::default().write(format!("{}/", place.path("work").display())));
    let sealed = Host::default().run_and_seal(&unit).unwrap();
    verify(&sealed.line()).unwrap();
    let mut record = record(&sealed);
    let writes = record.pointer_mut("/policy/write").unwrap().as_array_mut().unwrap();
    writes.push(json!({ "kind": "directory", "path": "/etc" }));
    let mut bytes = b"escapology/policy/v1\n".to_vec();
    bytes.extend(record["policy"].to_string().into_bytes());
    record["commitment"] = format!("sha256:{}", hex::encode(Sha256::digest(bytes))).into();
    let refused = verify(record.to_string().as_bytes());
    assert!(matches!(refused, Err(VerifyError::Wider(path)) if path == "/etc"));
}

#[test]
fn a_seal_holds_the_digest_of_what_was_handed_on_and_the_cause_of_an_end() {
    let place = Place::new();
    let host = Host::default();
    let mut unit = place.shell("echo out; echo err >&2; while :; do :; done", Grants::default());
    unit.limits.wall_clock_milliseconds = Bound::At(300);
    let needs = unit.needs(host.search()).unwrap();
    let mut running = host.start(&unit, &needs, &place.path("run"), Input::Empty).unwrap();
    let (mut output, mut error) = (Vec::new(), Vec::new());
    let sealed = loop {
        match running.progress().unwrap() {
            Progress::Running(further, chunk) => {
                match chunk {
                    Chunk::Output(bytes) => output.extend(bytes),
                    Chunk::Error(bytes) => error.extend(bytes),
                }
                running = further;
            }
            Progress::Sealed(sealed) => break sealed,
        }
    };
    assert_eq!((&output[..], &error[..]), (&b"out\n"[..], &b"err\n"[..]));
    assert_eq!(sealed.ended().cause, Some(Cause::WallClock));
    assert_eq!(sealed.output(), None);
    let record = record(&sealed);
    assert_eq!(record["ended_by"], "wall-clock limit");
    let digest = format!("sha256:{}", hex::encode(Sha256::digest(&output)));
    assert_eq!(record["stdout"], json!({ "bytes": 4, "digest": digest }));
    verify(&sealed.line()).unwrap();
}
