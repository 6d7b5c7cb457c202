//! A verdict and its records for the tests, put together by hand.

use crate::record::{
    Answer, Arm, Attempt, BackendFacts, Bar, Cell, Control, Doubt, Effect, EffectKind, Finish,
    Flaw, HostFacts, Landlock, Outcome, Record, Runtime, Start, Terms, Twin, Useful, UsefulCell,
    UsefulOutcome, UsefulRun, User,
};
use crate::verdict::{
    BackendVerdict, Counts, Digests, HookDifference, JudgedCell, JudgedUse, KeptLimits, LIMITS,
    Obstacle, Promise, Residue, SCHEMA, Verdict, Why, host_digest,
};
use backends::protection::{Protection, Seen, State, Support};
use backends::tier::Tier;
use std::collections::BTreeSet;

pub(crate) const COLUMNS: [(Runtime, bool); 3] =
    [(Runtime::Native, false), (Runtime::Python, false), (Runtime::Python, true)];

pub(crate) fn escaped() -> Outcome {
    let evidence = BTreeSet::from([EffectKind::TokenLeaked, EffectKind::TreeChanged]);
    Outcome::Escaped { evidence }
}

pub(crate) fn stale() -> Outcome {
    Outcome::Stale { reason: "old kernel".to_owned() }
}

pub(crate) fn inconclusive() -> Outcome {
    Outcome::Inconclusive { why: Doubt::TwinAfter }
}

pub(crate) fn broken() -> UsefulOutcome {
    UsefulOutcome::Broken { why: Flaw::Unproved }
}

/// One outcome of each kind.
pub(crate) fn outcomes() -> [Outcome; 6] {
    [
        Outcome::Held { by: "EACCES".to_owned() },
        escaped(),
        Outcome::Residue {
            reason: "no mount namespace".to_owned(),
            evidence: BTreeSet::from([EffectKind::ObjectHeld]),
        },
        stale(),
        Outcome::NotApplicable { evidence: "the control ended with ENOSYS".to_owned() },
        inconclusive(),
    ]
}

pub(crate) fn obstacle(subject: &str, why: Why) -> Obstacle {
    Obstacle { subject: subject.to_owned(), runtime: Some(Runtime::Native), why }
}

fn host() -> HostFacts {
    HostFacts {
        system: "linux".to_owned(),
        kernel: "6.18.44".to_owned(),
        architecture: "x86_64".to_owned(),
        landlock: Landlock { abi: 7, errata: 0 },
        seccomp_actions: BTreeSet::new(),
        security_modules: None,
        user_namespaces: None,
        uid: 0,
        user: User::Root,
        capabilities: String::new(),
    }
}

/// A verdict on two backends: one that earned S1, and one of the same cells.
pub(crate) fn verdict() -> Verdict {
    let host = host();
    Verdict {
        schema: SCHEMA,
        digests: Digests {
            catalogue: "03".to_owned(),
            host: host_digest(&host),
            program: "04".to_owned(),
        },
        host,
        runtimes: BTreeSet::from([Runtime::Native, Runtime::Python]),
        filtered: false,
        backends: vec![backend("native"), backend("wrapped")],
        depth: Vec::new(),
        limits: LIMITS,
    }
}

fn backend(name: &str) -> BackendVerdict {
    let cells: Vec<JudgedCell> = ["fs-read/open", "network/loopback"]
        .into_iter()
        .flat_map(|escape| {
            COLUMNS.map(|(runtime, hook)| JudgedCell {
                escape: escape.to_owned(),
                runtime,
                hook,
                bar: Bar::S1,
                outcome: Outcome::Held { by: "EACCES".to_owned() },
            })
        })
        .collect();
    BackendVerdict {
        name: name.to_owned(),
        available: true,
        tier: Some(Tier::S1),
        mechanism: Some("landlock/7+seccomp linux/6.18.44".to_owned()),
        protections: vec![Promise { protection: Protection::FileRead, active: true }],
        policy: Some("sha256:01".to_owned()),
        artefact: Some("02".to_owned()),
        counts: Counts { held: 4, ..Counts::default() },
        counts_with_hook: Counts { held: 2, ..Counts::default() },
        kept_limits: KeptLimits { promised: true, ..KeptLimits::default() },
        residue: Vec::new(),
        stands_in_the_way: Vec::new(),
        cells,
        useful: COLUMNS
            .map(|(runtime, hook)| JudgedUse {
                case: "files".to_owned(),
                runtime,
                hook,
                outcome: UsefulOutcome::Works,
            })
            .to_vec(),
        hook: HookDifference::default(),
    }
}

/// A verdict with every outcome in every column, and a backend that is not there.
pub(crate) fn mixed() -> Verdict {
    let mut verdict = verdict();
    verdict.backends[1].available = false;
    verdict.backends[1].tier = None;
    verdict.backends[1].cells.clear();
    verdict.backends[1].useful.clear();
    verdict.backends[1].stands_in_the_way =
        vec![Obstacle { subject: "wrapped".to_owned(), runtime: None, why: Why::Unavailable }];
    let native = &mut verdict.backends[0];
    native.tier = Some(Tier::S0);
    native.stands_in_the_way = vec![obstacle("fs-read/escaped", Why::Escaped)];
    native.residue = vec![Residue {
        escape: "fs-read/residue".to_owned(),
        runtime: Runtime::Native,
        reason: "no mount namespace".to_owned(),
    }];
    native.kept_limits.exceeded.insert("resource/escaped (native)".to_owned());
    native.hook.hook_only.insert("fs-read/escaped".to_owned());
    native.cells = outcomes()
        .into_iter()
        .flat_map(|outcome| {
            COLUMNS.map(|(runtime, hook)| JudgedCell {
                escape: format!("fs-read/{}", outcome.name()),
                runtime,
                hook,
                bar: Bar::S1,
                outcome: outcome.clone(),
            })
        })
        .collect();
    native.useful[1].outcome = broken();
    native.useful[2].outcome = UsefulOutcome::Inconclusive { why: Flaw::Control };
    verdict
}

/// Records for a verdict, with the same words wherever a confined program or a host may speak.
pub(crate) fn records(verdict: &Verdict, words: &str) -> Vec<Record> {
    let mut records = vec![Record::Host(verdict.host.clone())];
    for backend in &verdict.backends {
        records.push(Record::Backend(facts(backend, words)));
        for cell in &backend.cells {
            records.extend(trial(backend, cell, words));
        }
        for case in &backend.useful {
            let run = UsefulRun {
                finish: Finish::Exited(1),
                proved: false,
                absent: Some(words.into()),
                remark: words.into(),
            };
            let cell = UsefulCell {
                backend: backend.name.clone(),
                runtime: case.runtime,
                hook: case.hook,
                case: case.case.clone(),
            };
            records.push(Record::Useful(Useful { cell, control: run.clone(), confined: run }));
        }
    }
    records
}

fn facts(backend: &BackendVerdict, words: &str) -> BackendFacts {
    let state = State::Unavailable(words.to_owned());
    BackendFacts {
        name: backend.name.clone(),
        mechanism: backend.mechanism.clone(),
        layer: None,
        support: Support { protections: vec![Seen { protection: Protection::Network, state }] },
        keeps_limits: true,
        commitment: None,
        artefact: None,
        warning: Some(words.to_owned()),
        unavailable: (!backend.available).then(|| words.to_owned()),
    }
}

fn trial(backend: &BackendVerdict, judged: &JudgedCell, words: &str) -> [Record; 2] {
    let arm = Arm {
        start: Start::Started,
        twin_before: Twin::Missing,
        reached: false,
        answer: Answer::Exception(words.to_owned()),
        twin_after: Twin::Missing,
        effects: [words, "second"]
            .map(|detail| Effect { kind: EffectKind::TokenLeaked, detail: detail.to_owned() })
            .to_vec(),
        finish: Finish::Exited(0),
        findings: vec![words.to_owned()],
        remarks: words.to_owned(),
    };
    let refused = Arm { start: Start::Refused(words.to_owned()), ..arm.clone() };
    let cell = Cell {
        backend: backend.name.clone(),
        runtime: judged.runtime,
        hook: judged.hook,
        escape: judged.escape.clone(),
    };
    let (escape, runtime) = (judged.escape.clone(), judged.runtime);
    [
        Record::Attempt(Attempt { cell, terms: Terms::default(), arm }),
        Record::Control(Control { escape, runtime, arm: refused }),
    ]
}
