//! Plans: what is to be tried where, and that the digests tell every catalogue and program apart.

use super::*;
use crate::escape::{Layer, Limit};
use crate::twin::Twin;
use backends::protection::Support;
use reports::record::{Bar, Finish};
use std::collections::BTreeSet;
use std::io::Write;

const NATIVE: Escape =
    Escape { id: "fs-read/native", native: Some(|_| Ok(vec![])), ..Escape::BLANK };
const PYTHON: Escape = Escape { id: "fs-read/python", python: Some("text"), ..Escape::BLANK };
const BOTH: Escape = Escape {
    id: "network/both",
    bar: Bar::Residue,
    needs: &[Need::Linux, Need::SecondUser, Need::OrdinaryUser],
    native: NATIVE.native,
    python: PYTHON.python,
    ..Escape::BLANK
};
const RUNTIMES: [Runtime; 2] = [Runtime::Native, Runtime::Python];

fn backend(name: &str, unavailable: Option<&str>) -> BackendFacts {
    BackendFacts {
        name: name.to_owned(),
        mechanism: None,
        layer: None,
        support: Support { protections: Vec::new() },
        keeps_limits: false,
        commitment: None,
        artefact: None,
        warning: None,
        unavailable: unavailable.map(str::to_owned),
    }
}

/// The plan in short: backend, runtime, hook, escape, and why it is absent.
fn planned(
    runtimes: &[Runtime],
    filter: Option<&str>,
    lacks: impl Fn(Need) -> Option<String>,
) -> Vec<String> {
    let backends = [backend("one", None), backend("gone", Some("no")), backend("two", None)];
    let selection = Selection { filter: filter.map(str::to_owned) };
    cells(&[&NATIVE, &PYTHON, &BOTH], &backends, runtimes, &selection, lacks)
        .into_iter()
        .map(|PlannedCell { cell, bar, absent }| {
            let hook = if cell.hook { " hook" } else { "" };
            let absent = absent.map(|why| format!(" absent: {why}")).unwrap_or_default();
            format!(
                "{} {} {}{hook} {bar:?}{absent}",
                cell.backend,
                cell.runtime.name(),
                cell.escape
            )
        })
        .collect()
}

#[test]
fn every_usable_backend_gets_every_escape_in_every_runtime_that_carries_it() {
    let of = |backend: &str| {
        [
            "native fs-read/native S1",
            "python fs-read/python S1",
            "python fs-read/python hook S1",
            "native network/both Residue",
            "python network/both Residue",
            "python network/both hook Residue",
        ]
        .map(|cell| format!("{backend} {cell}"))
    };
    assert_eq!(planned(&RUNTIMES, None, |_| None), [of("one"), of("two")].concat());
    let native = planned(&[Runtime::Native], None, |_| None);
    assert_eq!(
        native,
        [&of("one")[..1], &of("one")[3..4], &of("two")[..1], &of("two")[3..4]].concat()
    );
}

#[test]
fn a_filter_takes_the_ids_that_hold_it_and_no_filter_takes_all() {
    let count = |filter| planned(&RUNTIMES, filter, |_| None).len();
    assert_eq!(count(None), 12);
    assert_eq!(count(Some("fs-read/")), 6);
    assert_eq!(count(Some("both")), 6);
    assert_eq!(count(Some("")), 12);
    assert_eq!(count(Some("fs-write")), 0);
}

#[test]
fn what_the_host_lacks_first_is_the_reason_that_a_cell_is_absent() {
    let lacks = |need| {
        let lacked = [(Need::OrdinaryUser, "root"), (Need::SecondUser, "no second user")];
        let found = lacked.iter().find(|(lacked, _)| *lacked == need);
        found.map(|(_, why)| (*why).to_owned())
    };
    for cell in planned(&RUNTIMES, None, lacks) {
        let absent = cell.ends_with(" absent: no second user");
        assert_eq!(absent, cell.contains("network/both"), "{cell}");
        assert_eq!(absent, cell.contains("absent"), "{cell}");
    }
}

#[test]
fn whatever_an_act_tries_needs_or_is_held_to_changes_the_digest_and_its_origin_does_not() {
    const PROGRAM: Program = Program::BLANK;
    const LIMIT: Limit = Limit::BLANK;
    let escape = |change: fn(&mut Escape)| {
        let mut escape = BOTH;
        change(&mut escape);
        catalogue_digest(&[&escape], &[&UsefulWork::BLANK])
    };
    let work = |change: fn(&mut UsefulWork)| {
        let mut work = UsefulWork { work: Work::Program(PROGRAM), ..UsefulWork::BLANK };
        change(&mut work);
        catalogue_digest(&[&BOTH], &[&work])
    };
    let digests = [
        catalogue_digest(&[], &[]),
        catalogue_digest(&[&BOTH], &[]),
        catalogue_digest(&[&BOTH, &BOTH], &[]),
        catalogue_digest(&[], &[&UsefulWork::BLANK]),
        escape(|_same| ()),
        escape(|escape| escape.id = "network/other"),
        escape(|escape| escape.summary = "other"),
        escape(|escape| escape.bar = Bar::S1),
        escape(|escape| escape.needs = &[]),
        escape(|escape| escape.stops = &[Layer::Seccomp]),
        escape(|escape| escape.witnesses = &["landlock/read-file"]),
        escape(|escape| escape.silent = Some("silent")),
        escape(|escape| escape.absent = &[]),
        escape(|escape| escape.twin = Twin::Thread),
        escape(|escape| escape.limit = Some(LIMIT)),
        escape(|escape| escape.limit = Some(Limit { ends: &[Finish::TimedOut], ..LIMIT })),
        escape(|escape| escape.native = None),
        escape(|escape| escape.python = Some("other")),
        work(|_same| ()),
        work(|work| work.id = "useful/other"),
        work(|work| work.summary = "other"),
        work(|work| work.also_needs = &[Need::Linux]),
        work(|work| work.may_lack = &["zoneinfo"]),
        work(|work| work.hook = false),
        work(|work| work.work = Work::Python("other")),
        work(|work| work.work = Work::Native(|_, _| Ok(()))),
        work(|work| work.work = Work::Program(Program { path: "/bin/true", ..PROGRAM })),
        work(|work| work.work = Work::Program(Program { arguments: &["x"], ..PROGRAM })),
        work(|work| work.work = Work::Program(Program { reads: &["/x"], ..PROGRAM })),
        work(|work| work.work = Work::Program(Program { end: Finish::Exited(1), ..PROGRAM })),
        work(|work| work.work = Work::Program(Program { refused: &[Finish::TimedOut], ..PROGRAM })),
    ];
    let apart: BTreeSet<&String> = digests.iter().collect();
    assert_eq!(apart.len(), digests.len());
    assert!(digests.iter().all(|digest| digest.len() == 64));
    assert_eq!(escape(|_same| ()), escape(|_same| ()));
    assert_eq!(escape(|escape| escape.techniques = &["FR-OPEN"]), escape(|_same| ()));
    assert_eq!(escape(|escape| escape.references = &["CWE-552"]), escape(|_same| ()));
}

/// The digest of `abc` is an example of FIPS 180-4.
#[test]
fn the_digest_of_a_program_is_that_of_its_bytes() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"abc").unwrap();
    assert_eq!(
        program_digest(file.path()).unwrap(),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert!(program_digest(Path::new("/absent/program")).is_err());
}
