//! Units on the real kernel: what runs is confined and sealed, what S1 cannot keep never runs, and a seal
//! says exactly what was applied.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use backends::child::{Cause, Exit};
use backends::command::Input;
use backends::grants::{Grants, Refusal};
use backends::host::{Host, RunError};
use backends::linux::tape::{Tape, answers};
use backends::meter::{Meter, Method};
use backends::policy::Bound;
use backends::running::{Chunk, Progress, Running};
use backends::seal::{Sealed, Unconfined, VerifyError, verify};
use backends::tier::Tier;
use backends::unit::{Unit, UnitError};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use tempfile::TempDir;

struct Place {
    _folder: TempDir,
    base: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        fs::create_dir(base.join("run")).unwrap();
        fs::write(base.join("granted"), "granted").unwrap();
        fs::write(base.join("secret"), "secret").unwrap();
        Self { _folder: folder, base }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.base.join(name)
    }

    /// A shell with a script.
    fn shell(&self, script: &str, grants: Grants) -> Unit {
        let arguments = vec!["-c".into(), script.into()];
        Unit { arguments, grants, ..Unit::new("/bin/bash") }
    }

    fn cat(&self, name: &str) -> Unit {
        let grants = Grants::default().read(self.path("granted"));
        Unit { arguments: vec![self.path(name).into()], grants, ..Unit::new("cat") }
    }

    fn bare(&self, unit: &Unit) -> Sealed {
        let host = Host::default();
        let needs = unit.needs(host.search()).unwrap();
        let why = Unconfined::Asked("the control");
        let run = self.path("run");
        host.start_unconfined(unit, &needs, &run, Input::Empty, why).unwrap().wait().unwrap()
    }
}

fn record(sealed: &Sealed) -> Value {
    serde_json::from_slice(&sealed.line()).unwrap()
}

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
fn a_unit_reads_what_it_is_granted_and_nothing_else_and_bare_it_reads_all() {
    let place = Place::new();
    let bare = place.bare(&place.cat("secret"));
    assert_eq!(bare.output(), Some(&b"secret"[..]));
    let sealed = Host::default().run_and_seal(&place.cat("secret")).unwrap();
    assert_eq!((sealed.tier(), sealed.ended().exit), (Tier::S1, Exit::Code(1)));
    assert_eq!(sealed.output(), Some(&b""[..]));
}

#[test]
fn a_unit_has_no_network_and_bare_it_reaches_a_listener() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let [high, low] = listener.local_addr().unwrap().port().to_be_bytes();
    let mut tape = Tape::default();
    tape.call(libc::SYS_close_range, [3, u64::from(u32::MAX), 0, 0, 0, 0]);
    let address = tape.data(&[2, 0, high, low, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    let socket = tape.call(libc::SYS_socket, [2, 1, 0, 0, 0, 0]);
    let connect = tape.call(libc::SYS_connect, [3, address, 16, 0, 0, 0]);
    tape.report();
    tape.exit();
    tape.write_to(&place.path("program")).unwrap();
    let unit = Unit::new(place.path("program"));
    let bare = answers(place.bare(&unit).output().unwrap());
    assert_eq!((bare[socket], bare[connect]), (3, 0));
    assert!(listener.accept().is_ok());
    let sealed = Host::default().run_and_seal(&unit).unwrap();
    assert_eq!(sealed.tier(), Tier::S1);
    let confined = answers(sealed.output().unwrap());
    assert!(confined[socket] < 0 && confined[connect] < 0, "{confined:?}");
    assert!(listener.accept().is_err());
}

#[test]
fn a_unit_whose_grants_s1_cannot_keep_never_runs() {
    let place = Place::new();
    fs::create_dir(place.path("work")).unwrap();
    let script = format!("echo ran > {}", place.path("work/mark").display());
    let grants = Grants::default().write(place.path("work"));
    let mark = place.path("work/mark");
    let ran = |grants| {
        let sealed = Host::default().run_and_seal(&place.shell(&script, grants));
        (sealed, fs::remove_file(&mark).is_ok())
    };
    let (sealed, marked) = ran(grants.clone());
    assert!(marked && sealed.unwrap().tier() == Tier::S1, "the control ran");
    let changes: [fn(&mut Grants); 4] = [
        |grants| grants.clock = false,
        |grants| grants.randomness = false,
        |grants| grants.network.extend(["127.0.0.1:80".to_owned()]),
        |grants| grants.subprocess = true,
    ];
    for change in changes {
        let mut asked = grants.clone();
        change(&mut asked);
        let (sealed, marked) = ran(asked);
        assert!(!marked);
        match sealed {
            Err(RunError::Unit(UnitError::Refused(Refusal::Unenforceable { .. }))) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_unconfined_unit_is_sealed_at_s0_without_mechanism_and_with_the_reason() {
    let place = Place::new();
    let sealed = place.bare(&place.cat("secret"));
    assert_eq!(sealed.tier(), Tier::S0);
    assert!(sealed.mechanism().is_none() && sealed.commitment().is_none());
    let record = record(&sealed);
    assert_eq!(record["unconfined_because"], "the caller asked for the control");
    assert!(record["policy"].is_null() && record["mechanism"].is_null());
    assert_eq!(verify(&sealed.line()).unwrap().tier, Tier::S0);
}

#[test]
fn a_grant_that_holds_the_run_directory_or_what_the_host_protects_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path("evidence")).unwrap();
    let start = |host: &Host, grants| {
        let unit = place.shell("true", grants);
        let needs = unit.needs(host.search()).unwrap();
        host.start(&unit, &needs, &place.path("run"), Input::Empty).map(Running::wait)
    };
    let is_protected = |started: Result<_, RunError>| {
        matches!(started, Err(RunError::Unit(UnitError::Refused(Refusal::Protected { .. }))))
    };
    let host = Host::default();
    assert!(is_protected(start(&host, Grants::default().read(&place.base))));
    let evidence = || Grants::default().write(place.path("evidence"));
    assert!(start(&host, evidence()).unwrap().is_ok());
    let host = host.protecting(place.path("evidence"));
    assert!(is_protected(start(&host, evidence())));
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
    assert!(matches!(change("/policy/network", json!("all")), VerifyError::Field(_)));
    assert!(matches!(change("/unit/arguments", json!([])), VerifyError::Unit { .. }));
    assert!(matches!(change("/unit_digest", other), VerifyError::Unit { .. }));
    assert!(matches!(change("/stdout_base64", json!("")), VerifyError::Output("stdout")));
    assert!(matches!(change("/schema", json!("another")), VerifyError::Schema));
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

#[test]
fn the_energy_of_a_unit_is_metered_where_the_host_counts_and_estimated_elsewhere() {
    let place = Place::new();
    let zone = place.path("powercap/intel-rapl:0");
    fs::create_dir_all(&zone).unwrap();
    for (name, value) in
        [("name", "package-0"), ("energy_uj", "5"), ("max_energy_range_uj", "262143328850")]
    {
        fs::write(zone.join(name), value).unwrap();
    }
    let metered = Host::default().metering(Meter::at(place.path("powercap"), "/proc/stat"));
    let sealed = metered.run_and_seal(&place.cat("granted")).unwrap();
    assert!(matches!(sealed.energy().method, Method::ModelBased { host_microjoules: 0, .. }));
    assert_eq!(record(&sealed)["energy"]["method"], "ModelBased");
    let estimated = Host::default().metering(Meter::at(place.path("absent"), "/proc/stat"));
    let sealed = estimated.run_and_seal(&place.cat("granted")).unwrap();
    let cpu = u64::try_from(sealed.ended().usage.cpu.as_micros()).unwrap();
    assert_eq!(sealed.energy().microjoules, cpu * backends::meter::ESTIMATED_MILLIWATTS / 1_000);
    let energy = &record(&sealed)["energy"];
    assert_eq!(
        (&energy["method"], &energy["milliwatts_per_core"]),
        (&json!("Estimator"), &json!(5_000))
    );
    assert!(energy["not_metered_because"].as_str().unwrap().contains("absent"));
}
