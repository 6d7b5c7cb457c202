//! Units on the real kernel: what runs is confined and sealed, what S1 cannot keep never runs, and a seal
//! says exactly what was applied.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

mod seals;

use backends::child::Exit;
use backends::command::Input;
use backends::grants::{Grants, Refusal};
use backends::host::{Host, RunError};
use backends::linux::tape::{Tape, answers};
use backends::meter::{Meter, Method};
use backends::running::Running;
use backends::seal::{Sealed, Unconfined, verify};
use backends::tier::Tier;
use backends::unit::{Unit, UnitError};
use serde_json::{Value, json};
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
    // Nor without a sandbox, where the grants are what the record says.
    let audited = |host: &Host| {
        let unit = place.shell("true", evidence());
        let needs = unit.needs(host.search()).unwrap();
        host.start_audit_only(&unit, &needs, &place.path("run"), Input::Empty).map(Running::wait)
    };
    assert!(audited(&Host::default()).unwrap().is_ok());
    assert!(is_protected(audited(&host)));
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
