//! A run for the tests, complete and small: one backend that earns S1 and one that is not there.

use backends::protection::{Protection, Seen, State, Support};
use reports::record::{
    Answer, Arm, Attempt, BackendFacts, Bar, Cell, Control, Effect, EffectKind, Finish, HostFacts,
    Landlock, Plan, PlannedCell, Record, Runtime, Start, Terms, Twin, Useful, UsefulCell,
    UsefulRun, User,
};
use std::collections::BTreeSet;

pub(super) const ESCAPES: [&str; 7] = [
    "exec/spawn",
    "fs-read/open",
    "fs-write/truncate",
    "metadata/stat",
    "native-code/raw",
    "network/loopback",
    "plant/hook",
];

pub(super) const RUNTIMES: [Runtime; 2] = [Runtime::Native, Runtime::Python];

const GAP: &str = "paths outside can be asked for their metadata";

/// The records of the run, in the order in which they are written. `mark` stands wherever two runs
/// of the same facts may differ.
pub(super) fn records(mark: &str) -> Vec<Record> {
    let mut records = vec![
        Record::Host(host()),
        Record::Backend(backend("native", None)),
        Record::Backend(backend("podman", Some(format!("no podman {mark}")))),
        Record::Plan(plan()),
    ];
    for escape in ESCAPES {
        for runtime in RUNTIMES {
            let arm = arm(mark, true);
            let escape = escape.to_owned();
            records.push(Record::Control(Control { escape, runtime, arm }));
        }
    }
    for planned in plan().cells {
        let open = planned.bar == Bar::Residue;
        let terms = Terms {
            gap: open.then(|| GAP.to_owned()),
            errnos: BTreeSet::from([libc::EACCES]),
            ..Terms::default()
        };
        let arm = arm(mark, open);
        records.push(Record::Attempt(Attempt { cell: planned.cell, terms, arm }));
    }
    for cell in plan().useful {
        let run = UsefulRun {
            finish: Finish::Exited(0),
            proved: true,
            absent: None,
            remark: mark.to_owned(),
        };
        records.push(Record::Useful(Useful { cell, control: run.clone(), confined: run }));
    }
    records
}

pub(super) fn host() -> HostFacts {
    HostFacts {
        system: std::env::consts::OS.to_owned(),
        kernel: "6.18.44".to_owned(),
        architecture: "x86_64".to_owned(),
        landlock: Landlock { abi: 7, errata: 3 },
        seccomp_actions: BTreeSet::from(["errno".to_owned()]),
        security_modules: Some(vec!["landlock".to_owned()]),
        user_namespaces: None,
        uid: 1000,
        user: User::Ordinary,
        capabilities: "0000000000000000".to_owned(),
    }
}

fn backend(name: &str, unavailable: Option<String>) -> BackendFacts {
    let state = State::Active;
    BackendFacts {
        name: name.to_owned(),
        mechanism: Some("landlock/7+seccomp linux/6.18.44".to_owned()),
        layer: None,
        support: Support { protections: vec![Seen { protection: Protection::FileRead, state }] },
        keeps_limits: true,
        commitment: Some("sha256:01".to_owned()),
        artefact: Some("02".to_owned()),
        warning: None,
        unavailable,
    }
}

fn plan() -> Plan {
    let columns = [(Runtime::Native, false), (Runtime::Python, false), (Runtime::Python, true)];
    let cells = ESCAPES.into_iter().flat_map(|escape| {
        columns.map(|(runtime, hook)| PlannedCell {
            cell: Cell { backend: "native".to_owned(), runtime, hook, escape: escape.to_owned() },
            bar: if escape.starts_with("metadata/") { Bar::Residue } else { Bar::S1 },
            absent: None,
        })
    });
    let useful = columns.map(|(runtime, hook)| UsefulCell {
        backend: "native".to_owned(),
        runtime,
        hook,
        case: "files".to_owned(),
    });
    Plan {
        cells: cells.collect(),
        useful: useful.to_vec(),
        catalogue: "03".to_owned(),
        program: "04".to_owned(),
        filtered: false,
        runtimes: BTreeSet::from(RUNTIMES),
    }
}

/// An arm in which the act worked, or was stopped.
pub(super) fn arm(mark: &str, worked: bool) -> Arm {
    let effect = Effect { kind: EffectKind::TokenLeaked, detail: format!("stdout {mark}") };
    Arm {
        start: Start::Started,
        twin_before: Twin::Proved,
        reached: true,
        answer: if worked { Answer::Done } else { Answer::Errno(libc::EACCES) },
        twin_after: Twin::Proved,
        effects: if worked { vec![effect] } else { Vec::new() },
        finish: Finish::Exited(0),
        findings: Vec::new(),
        remarks: format!("pid 1 /tmp/x {mark}"),
    }
}

/// The records that are of one kind, to be spoilt.
pub(super) fn plan_of(records: &mut [Record]) -> &mut Plan {
    records
        .iter_mut()
        .find_map(|record| match record {
            Record::Plan(plan) => Some(plan),
            Record::Host(_)
            | Record::Backend(_)
            | Record::Control(_)
            | Record::Attempt(_)
            | Record::Useful(_) => None,
        })
        .unwrap()
}

/// The attempt of one escape as machine code.
pub(super) fn attempt_of<'a>(records: &'a mut [Record], escape: &str) -> &'a mut Attempt {
    records
        .iter_mut()
        .find_map(|record| match record {
            Record::Attempt(attempt)
                if attempt.cell.escape == escape && attempt.cell.runtime == Runtime::Native =>
            {
                Some(attempt)
            }
            Record::Host(_)
            | Record::Backend(_)
            | Record::Plan(_)
            | Record::Control(_)
            | Record::Attempt(_)
            | Record::Useful(_) => None,
        })
        .unwrap()
}
